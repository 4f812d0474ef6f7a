// The list of worlds, read again and again while a page shows it.
import { signal } from '@preact/signals';
import { DebugService, type GetStatsResponse } from '../../gen/repath/v1/debug_pb';
import { WorldService, WorldState, type World } from '../../gen/repath/v1/world_pb';
import { errorOf, RpcError } from '../wire/error';
import { call } from '../wire/rpc';
import { route } from './route';
import { Series } from './series';

const everyMs = 1500;
const silenceMostMs = 4000;
// Worlds whose figures are read at each turn: the first ones of those that are looked for that are in the server's memory.
const figuresMost = 40;

export interface Listed {
  world: World;
  stats: GetStatsResponse | undefined;
  series: Series;
}

export const listed = signal<Listed[] | undefined>(undefined);
export const trouble = signal<RpcError | undefined>(undefined);
const known = new Map<string, Series>();

// Whether the name has in it what is looked for.
export function isWanted(name: string): boolean {
  return name.toLowerCase().includes(route.value.find.trim().toLowerCase());
}

async function read(): Promise<void> {
  const worlds: World[] = [];
  for (let pageToken = ''; ; ) {
    const page = await call(WorldService.method.listWorlds, { pageSize: 1000, pageToken });
    worlds.push(...page.worlds);
    pageToken = page.nextPageToken;
    if (!pageToken) break;
  }
  const serving = worlds.filter(({ name, state }) => state === WorldState.SERVING && isWanted(name)).slice(0, figuresMost);
  const stats = new Map<string, GetStatsResponse>();
  await Promise.all(
    serving.map(async ({ name }) => {
      try {
        stats.set(name, await call(DebugService.method.getStats, { world: name }));
      } catch (thrown) {
        if (errorOf(thrown).code !== 'not_found') throw thrown;
      }
    }),
  );
  listed.value = worlds.map((world) => {
    const series = known.get(world.name) ?? new Series();
    known.set(world.name, series);
    const figures = stats.get(world.name);
    if (figures) series.add(figures, performance.now());
    return { world, stats: figures, series };
  });
  trouble.value = undefined;
}

// Reads the list until the returned function is called.
export function follow(): () => void {
  let stopped = false;
  const turn = async () => {
    const silence = setTimeout(() => (trouble.value = new RpcError('unavailable', 'the server has not answered for 4 s')), silenceMostMs);
    try {
      if (!document.hidden || !listed.value) await read();
    } catch (thrown) {
      trouble.value = errorOf(thrown);
    }
    clearTimeout(silence);
    if (!stopped) setTimeout(turn, everyMs);
  };
  void turn();
  return () => (stopped = true);
}

// Walks the agents of a world from this page: along their paths, there and back, as a game would.
//
// Only agents that belong to no session may be walked by everyone. The page walks a world only if its reader asked for it.
import type { MessageInitShape } from '@bufbuild/protobuf';
import { signal } from '@preact/signals';
import { AgentService, type AgentPositionSchema } from '../../gen/repath/v1/agent_pb';
import { WatchViewResponse_Outlook as Outlook } from '../../gen/repath/v1/debug_pb';
import { positionOf } from '../feed/convert';
import { errorOf, type RpcError } from '../wire/error';
import { call } from '../wire/rpc';
import { keep, recall } from '../wire/storage';
import { Homes, type Place } from './homes';
import type { Row } from './agent_table';
import { walkOn, type Walking } from './walk';
import type { WorldModel } from './world_model';

const everyMs = 150;
const speed = 5; // Cells or world units a second.
// A report of many agents takes the page longer to write than a frame lasts, so they are reported in portions.
const portion = 1000;
const walkLeast = 6; // Cells or world units; a shorter way is not walked to and fro.

export const walked = signal(recall('repath-walk'));
export const walkTrouble = signal<RpcError | undefined>(undefined);

export function walkFrom(world: string): void {
  walked.value = world;
  keep('repath-walk', world);
}

interface Walker extends Walking {
  home: Place;
  moved: number; // Time up to which it has walked.
  ask: number; // Time from which a new goal may be asked for.
}

export class Walkers {
  private readonly walkers = new Map<bigint, Walker>();
  private timer = 0;
  private isOn = false;
  private paused = 0; // End of the latest pause, in which no agent walked.
  private readonly homes: Homes;
  private readonly leave = () => this.homes.save(this.model.epoch.peek(), [...this.walkers].map(([id, { home }]) => [id, home]));

  constructor(
    private readonly name: string,
    private readonly model: WorldModel,
  ) {
    this.homes = new Homes(name);
  }

  start(): void {
    this.isOn = true;
    addEventListener('pagehide', this.leave);
    this.paused = performance.now();
    let rest: Row[] = []; // Agents whose turn in this round is still to come.
    const turn = async () => {
      let wait = everyMs;
      if (walked.value === this.name && this.model.feed.value.kind === 'live') {
        if (rest.length === 0) rest = [...this.model.agents.rows.values()];
        wait = everyMs / Math.max(1, Math.ceil(this.model.agents.rows.size / portion));
        await this.step(rest.splice(0, portion));
      } else {
        rest = [];
        this.paused = performance.now();
      }
      if (this.isOn) this.timer = window.setTimeout(turn, wait);
    };
    this.timer = window.setTimeout(turn, everyMs);
  }

  stop(): void {
    this.isOn = false;
    this.leave();
    removeEventListener('pagehide', this.leave);
    clearTimeout(this.timer);
  }

  // The world is another one of the same name.
  forget(): void {
    this.walkers.clear();
  }

  private async step(rows: Row[]): Promise<void> {
    const now = performance.now();
    const positions: MessageInitShape<typeof AgentPositionSchema>[] = [];
    const arrived: Row[] = [];
    for (const row of rows) {
      const walker = this.walkerOf(row);
      if (!walker) continue;
      const distance = Math.min(1, (now - Math.max(walker.moved, this.paused)) / 1000) * speed;
      walker.moved = now;
      if (row.outlook === Outlook.BROKEN || !walker.path) continue;
      if (walkOn(walker, distance)) positions.push(this.report(row, walker));
      else if (now > walker.ask && row.outlook === Outlook.PATH) arrived.push(row);
    }
    try {
      if (positions.length) await call(AgentService.method.reportPositions, { world: this.name, positions });
      if (arrived.length) await this.turnBack(arrived, now);
      walkTrouble.value = undefined;
    } catch (thrown) {
      walkTrouble.value = errorOf(thrown);
      if (!walkTrouble.value.passing) walkFrom('');
    }
  }

  private walkerOf(row: Row): Walker | undefined {
    let walker = this.walkers.get(row.id);
    if (!walker) {
      const at = this.model.agents.placeOf(row);
      if (!Number.isFinite(at[0])) return undefined; // A verdict may come before the first place.
      const home = this.homes.of(this.model.epoch.peek(), row.id) ?? [...at, row.height];
      walker = { path: undefined, rise: undefined, leg: 1, at, height: row.height, home, moved: this.paused, ask: 0 };
      this.walkers.set(row.id, walker);
    }
    if (walker.path !== row.path) {
      walker.path = row.path;
      walker.rise = row.rise;
      walker.leg = row.path ? nearestLeg(row.path, row.rise, walker.at, walker.height) : 1;
    }
    return walker;
  }

  private report(row: Row, walker: Walker): MessageInitShape<typeof AgentPositionSchema> {
    return { id: row.id, position: positionOf(walker.at, this.model.unit, walker.height), pathVersion: row.pathVersion };
  }

  // The home, unless it is so near that there would be no walk: then a place where another agent's path ends.
  private farFrom(at: [number, number], home: Place): Place {
    const far = ([x, y]: Place) => Math.hypot(x - at[0], y - at[1]) >= walkLeast;
    if (far(home)) return home;
    const paths = [...this.walkers.values()].filter(({ path }) => path);
    for (let tries = 0; tries < 8 && paths.length > 0; ++tries) {
      const { path, rise } = paths[Math.floor(Math.random() * paths.length)]!;
      const end: Place = [path!.at(-2)!, path!.at(-1)!, rise?.at(-1) ?? 0];
      if (far(end)) return end;
    }
    return home;
  }

  // Sends agents that have arrived back to where they came from.
  private async turnBack(rows: Row[], now: number): Promise<void> {
    const { unit } = this.model;
    const { agents } = await call(AgentService.method.listAgents, { world: this.name, pageSize: 1000, agentIds: rows.map(({ id }) => id) });
    const turned = agents.map(({ agent }) => {
      const walker = this.walkers.get(agent!.id)!;
      const home = this.farFrom(walker.at, walker.home);
      walker.home = [...walker.at, walker.height];
      walker.ask = now + 2000;
      walker.path = undefined;
      return { ...agent!, position: positionOf(walker.at, unit, walker.height), goals: [positionOf([home[0], home[1]], unit, home[2])] };
    });
    if (turned.length > 0) await call(AgentService.method.upsertAgents, { world: this.name, agents: turned });
  }
}

// The waypoint to go to next: the end of the leg that is nearest to the place, of the first ones.
function nearestLeg(path: Float32Array, rise: Float32Array | undefined, [x, y]: [number, number], height: number): number {
  let best = 1;
  let least = Infinity;
  for (let i = 2; i < Math.min(path.length, 24); i += 2) {
    const [ax, ay, ah] = [path[i - 2]!, path[i - 1]!, rise?.[i / 2 - 1] ?? 0];
    const [dx, dy, dh] = [path[i]! - ax, path[i + 1]! - ay, (rise?.[i / 2] ?? 0) - ah];
    const t = Math.min(1, Math.max(0, ((x - ax) * dx + (y - ay) * dy) / (dx * dx + dy * dy || 1)));
    const distance = Math.hypot(x - ax - t * dx, y - ay - t * dy, height - ah - t * dh);
    if (distance < least - 1e-6) [least, best] = [distance, i / 2];
  }
  return best;
}

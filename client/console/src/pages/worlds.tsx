// The list of worlds.
import { useEffect, useState } from 'preact/hooks';
import { WorldState, type World } from '../../gen/repath/v1/world_pb';
import { makeDemonstration } from '../state/demonstration';
import { go, route, turn } from '../state/route';
import { follow, isWanted, listed, trouble, type Listed } from '../state/worlds';
import { bytes, count, millis, rate } from '../ui/text';
import { Bar, sentence, Trouble } from '../ui/shell';
import { errorOf } from '../wire/error';

export function WorldsPage() {
  useEffect(() => {
    document.title = 'Repath';
    return follow();
  }, []);
  const worlds = listed.value;
  return (
    <div class="page">
      <Bar>
        <span class="crumb">Worlds</span>
      </Bar>
      <Trouble error={trouble.value} />
      <main class="list">
        {!worlds && !trouble.value && <p class="faint">Reading the list of worlds…</p>}
        {!worlds && trouble.value && !trouble.value.tokenWanted && <Waiting />}
        {worlds && worlds.length === 0 && <Empty />}
        {worlds && worlds.length > 0 && <Table worlds={worlds} />}
      </main>
    </div>
  );
}

function Waiting() {
  return (
    <div class="empty">
      <h1>Waiting for the server</h1>
      <p>The list of worlds appears here as soon as the server answers.</p>
      <pre>repathd --listen 127.0.0.1:7700 --admin {location.host}</pre>
    </div>
  );
}

function DemonstrationButton({ main }: { main: boolean }) {
  const [state, setState] = useState('');
  const make = async () => {
    setState('busy');
    try {
      go({ world: await makeDemonstration(listed.value?.map(({ world }) => world.name) ?? []) });
    } catch (thrown) {
      setState(errorOf(thrown).message);
    }
  };
  return (
    <>
      <button class={main ? 'main' : ''} disabled={state === 'busy'} onClick={make}>
        {state === 'busy' ? 'Making the world…' : 'Make a demonstration world'}
      </button>
      {state && state !== 'busy' && <p class="bad-text">{sentence(state)}</p>}
    </>
  );
}

function Empty() {
  return (
    <div class="empty">
      <h1>This server has no worlds yet</h1>
      <p>A demonstration world has walls, doors and agents that walk. Shut a door and see what the agents are told.</p>
      <DemonstrationButton main />
      <p>Or make one of your own:</p>
      <pre>
        repath world create arena --size 64x64{'\n'}repath agent add arena 7 --from 4,4 --to 60,60{'\n'}repath world import town MAP_FILE
      </pre>
    </div>
  );
}

function sizeOf(world: World): string {
  if (world.kind === 'grid') return `${world.width} × ${world.height}`;
  const [least, most] = [world.boundsMin, world.boundsMax];
  if (!least || !most) return '';
  return `${(most.x - least.x).toFixed(0)} × ${(most.z - least.z).toFixed(0)} u`;
}

function stateOf(world: World): string {
  if (world.state === WorldState.QUARANTINED) return 'set aside';
  return world.state === WorldState.STORED ? 'on disk' : 'serving';
}

const rowsShown = 200;
const findFrom = 12; // With more worlds than these there is a field to find one.

function Table({ worlds }: { worlds: Listed[] }) {
  const wanted = worlds.filter(({ world }) => isWanted(world.name));
  const { find } = route.value;
  const total = (of: (one: Listed) => number) => worlds.reduce((sum, one) => sum + of(one), 0);
  return (
    <>
      <div class="strip">
        <Figure name="worlds" value={count(worlds.length)} />
        <Figure name="agents" value={count(total(({ world }) => Number(world.agents)))} />
        <Figure name="waiting" value={count(total(({ stats }) => Number(stats?.waiting ?? 0)))} />
        <Figure name="verdicts/s" value={rate(total(({ series }) => series.latest?.verdicts ?? 0))} />
        <Figure name="memory" value={bytes(total(({ world }) => Number(world.memoryBytes)))} />
        <span class="grow" />
        {(worlds.length > findFrom || find) && (
          <label>
            Find{' '}
            <input type="search" aria-label="Find a world by a part of its name" value={find} onInput={(event) => turn({ find: event.currentTarget.value })} />
          </label>
        )}
        <DemonstrationButton main={false} />
      </div>
      <div class="scroll">
        <table class="worlds">
          <thead>
            <tr>
              <th>World</th>
              <th>Kind</th>
              <th class="num">Size</th>
              <th class="num">Revision</th>
              <th class="num">Agents</th>
              <th class="num">Waiting</th>
              <th class="num">Late</th>
              <th class="num">Frames/s</th>
              <th class="num">Frame p99</th>
              <th class="num">Verdicts/s</th>
              <th class="num">Memory</th>
              <th>State</th>
            </tr>
          </thead>
          <tbody>
            {wanted.slice(0, rowsShown).map((one) => (
              <Row key={one.world.name} one={one} />
            ))}
          </tbody>
        </table>
      </div>
      {wanted.length === 0 && <p class="faint pad">No world has “{find}” in its name.</p>}
      {wanted.length > rowsShown && <p class="faint pad">And {count(wanted.length - rowsShown)} more: find them by a part of their names.</p>}
    </>
  );
}

export function Figure({ name, value, title }: { name: string; value: string; title?: string }) {
  return (
    <span class="figure" title={title}>
      <b>{value}</b>
      <small>{name}</small>
    </span>
  );
}

function Row({ one: { world, stats, series } }: { one: Listed }) {
  const now = series.latest;
  const dash = <span class="faint">–</span>;
  return (
    <tr class="link" onClick={() => go({ world: world.name })}>
      <td class="name">
        <a href={`#/world/${encodeURIComponent(world.name)}`} title={world.name}>
          {world.name}
        </a>
      </td>
      <td>
        <span class={`kind ${world.kind}`}>{world.kind === 'navmesh' ? 'mesh' : world.kind}</span>
      </td>
      <td class="num">{sizeOf(world)}</td>
      <td class="num">{count(world.revision)}</td>
      <td class="num">{count(world.agents)}</td>
      <td class="num">{stats ? <span class={stats.waiting ? 'warm' : ''}>{count(stats.waiting)}</span> : dash}</td>
      <td class="num">{stats ? <span class={stats.late ? 'hot' : ''}>{count(stats.late)}</span> : dash}</td>
      <td class="num">{now ? rate(now.frames) : dash}</td>
      <td class="num">{stats ? millis(stats.frameUsP99 / 1000) : dash}</td>
      <td class="num">{now ? rate(now.verdicts) : dash}</td>
      <td class="num">{bytes(world.memoryBytes)}</td>
      <td class={world.state === WorldState.QUARANTINED ? 'hot' : 'faint'} title={world.quarantineReason}>
        {stateOf(world)}
      </td>
    </tr>
  );
}

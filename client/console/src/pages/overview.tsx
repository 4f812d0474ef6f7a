// Figures of a world, charts of the last minutes, the latest verdicts.
import type { PathEvent } from '../../gen/repath/v1/event_pb';
import { agentColours } from '../raster/palette';
import type { Point } from '../state/series';
import { theme } from '../state/theme';
import { route, turn } from '../state/route';
import { nameOf, reasonOf, stateOfVerdict } from '../state/verdict';
import type { WorldContext } from '../state/world_context';
import { Chart } from '../ui/chart';
import { bytes, count, frames, length, millis } from '../ui/text';

export function Overview({ context }: { context: WorldContext }) {
  const { model } = context;
  void model.seriesVersion.value;
  const stats = model.figures.value;
  const world = model.meta.value;
  const { points } = model.series;
  const of = (...reads: ((point: Point) => number)[]) => [points.map((p) => p.seconds), ...reads.map((read) => points.map(read))];
  const colours = agentColours[theme.value];
  if (!world) return <p class="faint pad">{model.feed.value.kind === 'slow' ? 'The server has not answered for 4 s. This page goes on by itself.' : 'Reading the world…'}</p>;
  // Worlds with a budget of work units have none of time.
  const budgetMs = Number(world.options?.frameBudgetUs ?? 0n) / 1000;
  return (
    <>
      <dl class="figures">
        {world.kind === 'grid' ? <Item name="Grid" value={`${world.width} × ${world.height}`} /> : <Item name="Kind" value={world.kind === 'navmesh' ? 'mesh' : 'graph'} />}
        <Item name="Obstacles" value={count(model.obstacleCount.value)} />
        <Item name="Memory" value={bytes(world.memoryBytes)} />
        <Item name="Late" value={count(model.late.value)} hot={model.late.value > 0n} />
        <Item name="Longest wait" value={stats ? frames(stats.longestWaitFrames) : '–'} />
        <Item name="Over budget" value={stats ? frames(stats.framesOverBudget) : '–'} />
      </dl>
      <Chart
        title="Frame"
        unit=" ms"
        least={0.1}
        data={of((p) => p.frameP50, (p) => p.frameP99, ...(budgetMs ? [() => budgetMs] : []))}
        lines={[
          { label: 'median', colour: colours.settled },
          { label: 'p99', colour: colours.replanned },
          ...(budgetMs ? [{ label: 'budget', colour: colours.invalidated, dash: [4, 4] }] : []),
        ]}
      />
      <Chart title="Verdicts a second" data={of((p) => p.verdicts)} lines={[{ label: 'all', colour: colours.settled }]} />
      <Chart
        title="From a change to its verdict"
        unit=" ms"
        data={of((p) => p.latencyP50, (p) => p.latencyMost)}
        lines={[
          { label: 'median', colour: colours.settled },
          { label: 'longest', colour: colours.replanned },
        ]}
      />
      <Chart title="Longest wait now, frames" data={of((p) => p.oldestWait)} lines={[{ label: 'frames', colour: colours.invalidated }]} />
      <Chart title="Waiting" data={of((p) => p.waiting)} lines={[{ label: 'agents', colour: colours.invalidated }]} />
      <Chart
        title="How agents settle, a second"
        data={of((p) => p.settledFree, (p) => p.repaired, (p) => p.searched)}
        lines={[
          { label: 'proved', colour: colours.improved },
          { label: 'repaired', colour: colours.settled },
          { label: 'searched', colour: colours.replanned },
        ]}
      />
      <Latest context={context} />
    </>
  );
}

export function Item({ name, value, hot }: { name: string; value: string; hot?: boolean }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd class={hot ? 'hot' : ''}>{value}</dd>
    </div>
  );
}

const verdictsShown = 40;

// Agents that walk are given new goals all the time; what a change of the world caused is what is looked for.
function Latest({ context: { model } }: { context: WorldContext }) {
  const caused = route.value.verdicts !== 'all';
  return (
    <>
      <h2 class="with-choice">
        Latest verdicts
        <label title="Only verdicts behind which a change of the world is. Else also those of new agents, new goals, and steps off the path">
          <input type="checkbox" checked={caused} onChange={(event) => turn({ verdicts: event.currentTarget.checked ? '' : 'all' })} /> caused by changes
        </label>
      </h2>
      <Verdicts events={(caused ? model.caused : model.recent).value.slice(0, verdictsShown)} />
    </>
  );
}

function Verdicts({ events }: { events: PathEvent[] }) {
  if (events.length === 0) return <p class="faint pad">None yet. Shut a door or draw an obstacle on the map.</p>;
  return (
    <ol class="verdicts">
      {events.map((event, i) => (
        <li key={`${event.agentId}-${event.revision}-${event.type}-${i}`}>
          <button onClick={() => turn({ select: `agent ${event.agentId}`, tab: 'inspect' })}>
            <VerdictName event={event} />
            <span class="who">agent {String(event.agentId)}</span>
            <span class="num">{event.cost > 0 ? length(event.cost) : ''}</span>
            <span class="num faint">{event.waitedUs > 0n ? millis(Number(event.waitedUs) / 1000) : ''}</span>
          </button>
        </li>
      ))}
    </ol>
  );
}

export function VerdictName({ event }: { event: PathEvent }) {
  return (
    <span class="verdict">
      <i style={{ background: agentColours[theme.value][stateOfVerdict(event.type, event.path?.status)] }} />
      {nameOf(event.type)}
      {reasonOf(event) && <small>{reasonOf(event).toLowerCase().replaceAll('_', ' ')}</small>}
    </span>
  );
}

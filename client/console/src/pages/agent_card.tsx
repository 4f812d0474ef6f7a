// One agent: what it does now, and why. Its latest verdicts, each with its cause, its path before and after, and
// how long it took.
import { useEffect } from 'preact/hooks';
import { AgentService, type AgentState } from '../../gen/repath/v1/agent_pb';
import { Optimality, type Path } from '../../gen/repath/v1/common_pb';
import { EventType, type PathEvent } from '../../gen/repath/v1/event_pb';
import { agentCommand, curl, quoted } from '../edit/command';
import { shapeOf, wayOf } from '../feed/convert';
import type { Mark } from '../raster/scene';
import type { Told } from '../state/agent_details';
import { stateOf, type Row } from '../state/agent_table';
import { route, turn } from '../state/route';
import { keyOf, stateLabels, statusOf } from '../state/verdict';
import type { WorldContext } from '../state/world_context';
import { Copy } from '../ui/copy';
import { Icon } from '../ui/icon';
import { ago, count, frames, length, millis } from '../ui/text';
import { Item, VerdictName } from './overview';

export function AgentCard({ context, row }: { context: WorldContext; row: Row }) {
  void context.model.agentsVersion.value;
  const { why } = route.value;
  const state = context.details.state.value;
  const agent = state?.agent;
  const noAgents = context.mayNot('goal');
  const told = context.details.verdicts.value;
  const events = told.map(({ event }) => event);
  useEffect(() => () => context.mark('why', []), []);
  useEffect(() => {
    const goals: Mark[] = context.editor.goalsOf().map((point) => ({ kind: 'goal', point }));
    context.mark('goals', goals);
    return () => context.mark('goals', []);
  }, [row, state]);
  const opened = events.find((event) => keyOf(event) === why);
  useEffect(() => context.mark('why', opened ? marksOf(context, opened, before(events, opened)) : []), [opened && why]);
  return (
    <>
      <h2 class="title">Agent {String(row.id)}</h2>
      <div class="actions">
        <button aria-pressed={route.value.follow} onClick={() => turn({ follow: !route.value.follow })}>
          Follow <kbd>F</kbd>
        </button>
        <button onClick={() => context.show(...context.model.agents.placeOf(row))}>Show</button>
        <button disabled={noAgents !== ''} title={noAgents} onClick={() => context.choose('goal')}>New goal</button>
        <button class="danger" disabled={noAgents !== ''} title={noAgents} onClick={() => void context.editor.removeSelected()}>
          <Icon name="bin" /> Remove
        </button>
      </div>
      <Now row={row} state={state} path={events.find((event) => event.path?.status)?.path} />
      <div class="actions">
        {agent && <Copy label="repath" text={() => agentCommand(context.name, agent)} />}
        {agent && <Copy label="curl" text={() => curl(AgentService.method.upsertAgents, { world: context.name, agents: [agent] })} />}
      </div>
      <h2>
        Why <small class="faint">what it was told, the latest first</small>
      </h2>
      <div class="actions">
        <Copy label="repath" text={() => `repath agent why ${quoted(context.name)} ${row.id}`} />
        <Copy label="curl" text={() => curl(AgentService.method.listVerdicts, { world: context.name, agentId: row.id })} />
      </div>
      {state && <Silence context={context} state={state} latest={events[0]} />}
      <ol class="timeline">
        {told.map((one) => (
          <Verdict key={keyOf(one.event)} context={context} told={one} open={one.event === opened} />
        ))}
      </ol>
    </>
  );
}

// The latest event before this one that had a path.
function before(events: PathEvent[], event: PathEvent): PathEvent | undefined {
  return events.slice(events.indexOf(event) + 1).find((older) => (older.path?.positions.length ?? 0) > 3);
}

function marksOf(context: WorldContext, event: PathEvent, older: PathEvent | undefined): Mark[] {
  const { unit, obstacles } = context.model;
  const marks: Mark[] = [];
  for (const id of event.causeObstacles) {
    const obstacle = obstacles.get(id);
    const shape = obstacle && shapeOf(obstacle.shape, unit);
    if (shape) marks.push({ kind: 'blink', shape });
  }
  if (older?.path) marks.push({ kind: 'old', line: wayOf(older.path, unit) });
  if (event.path && event.path.positions.length > 3) marks.push({ kind: 'new', line: wayOf(event.path, unit) });
  return marks;
}

function Now({ row, state, path }: { row: Row; state: AgentState | undefined; path: Path | undefined }) {
  const agent = state?.agent;
  return (
    <dl class="figures">
      <Item name="State" value={row.waiting ? 'waiting' : stateLabels[stateOf(row)]} hot={row.waiting} />
      <Item name="Cost to the goal" value={state && state.cost > 0 ? length(state.cost) : '–'} />
      <Item name="Settled at revision" value={state ? count(state.settledRevision) : '–'} />
      <Item name="Path" value={path && path.status ? statusOf(path.status).toLowerCase().replaceAll('_', ' ') : '–'} />
      <Item name="Optimality" value={path?.optimality ? Optimality[path.optimality]!.toLowerCase().replaceAll('_', ' ') : '–'} />
      <Item name="Profile, team" value={agent ? `${agent.profile || 'default'}, ${agent.team}` : '–'} />
    </dl>
  );
}

// Silence is a proof, so it is said as one.
function Silence({ context, state, latest }: { context: WorldContext; state: AgentState; latest: PathEvent | undefined }) {
  const revision = context.model.meta.value?.revision ?? 0n;
  if (state.waiting) {
    return <p class="silence warm">Waiting since revision {count(state.waitingSince)}. The verdict below is not proved after that.</p>;
  }
  const since = latest?.revision ?? 0n;
  if (state.settledRevision <= since) return <p class="silence">The latest verdict is of revision {count(since)}, which is {since === revision ? 'the current one' : 'older than the current one'}.</p>;
  return (
    <p class="silence">
      Silent since revision {count(since)}: the verdict is proved to hold at revision <b>{count(state.settledRevision)}</b>
      {state.settledRevision >= revision && ', the current one'}.
    </p>
  );
}

interface VerdictProps {
  context: WorldContext;
  told: Told;
  open: boolean;
}

function Verdict({ context, told: { event, at }, open }: VerdictProps) {
  const had = event.oldCost > 0 ? length(event.oldCost) : '';
  const has = event.cost > 0 ? length(event.cost) : event.type === EventType.UNREACHABLE ? 'no way' : '';
  return (
    <li class={open ? 'open' : ''}>
      <button class="head" aria-expanded={open} onClick={() => turn({ why: open ? '' : keyOf(event) })}>
        <VerdictName event={event} />
        <small class="faint when">{ago(at)}</small>
        <span class="num">
          {had && <s>{had}</s>} {has}
        </span>
      </button>
      {open && <Details context={context} event={event} />}
    </li>
  );
}

function Details({ context, event }: { context: WorldContext; event: PathEvent }) {
  const show = (id: bigint) => {
    if (!context.showObstacle(id)) return;
  };
  return (
    <div class="details">
      <p>
        Holds at revision <b>{count(event.revision)}</b>
        {event.causeRevisions.length > 0 && (
          <>
            , because of {event.causeRevisions.length === 1 ? 'revision' : 'revisions'} <b>{event.causeRevisions.map(count).join(', ')}</b>
          </>
        )}
        .{event.waitedUs > 0n && ` Found ${millis(Number(event.waitedUs) / 1000)} after the change, ${frames(event.waitedFrames)}.`}
        {event.coalesced > 0 && ` Replaces ${event.coalesced} earlier events that were not sent.`}
      </p>
      {event.causeObstacles.length > 0 && (
        <p class="ids">
          <span class="faint">Obstacles behind it:</span>
          {event.causeObstacles.map((id) => (
            <button key={String(id)} disabled={!context.model.obstacles.has(id)} title={context.model.obstacles.has(id) ? 'Show it on the map' : 'It is gone'} onClick={() => show(id)}>
              {String(id)}
            </button>
          ))}
        </p>
      )}
      <p class="keys">
        <span class="old">old path</span> <span class="new">new path</span>
      </p>
    </div>
  );
}

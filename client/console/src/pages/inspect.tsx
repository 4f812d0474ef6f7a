// The agent or obstacle that is selected, or lists to select from.
import { useState } from 'preact/hooks';
import { route, turn } from '../state/route';
import { stateLabels } from '../state/verdict';
import { agentColours } from '../raster/palette';
import { theme } from '../state/theme';
import { stateOf, type Row } from '../state/agent_table';
import type { WorldContext } from '../state/world_context';
import { length } from '../ui/text';
import { AgentCard } from './agent_card';
import { ObstacleCard } from './obstacle_card';

const rowsShown = 200;

export function Inspect({ context }: { context: WorldContext }) {
  const select = route.value.select;
  const agent = context.selectedAgent.value;
  const obstacle = context.selectedObstacle.value;
  return (
    <>
      <Finder context={context} />
      {agent && <AgentCard key={String(agent.id)} context={context} row={agent} />}
      {obstacle && <ObstacleCard context={context} obstacle={obstacle} />}
      {select && !agent && !obstacle && (
        <p class="faint pad">
          The world has no {select.replace(' ', ' number ')} now. <a href="#" onClick={(event) => (event.preventDefault(), turn({ select: '' }))}>Back to the list</a>
        </p>
      )}
      {!select && <Lists context={context} />}
    </>
  );
}

function Finder({ context }: { context: WorldContext }) {
  const [text, setText] = useState('');
  const [missed, setMissed] = useState('');
  const find = (event: Event) => {
    event.preventDefault();
    const id = /^\s*[a-z]*\s*(\d+)\s*$/i.exec(text)?.[1];
    if (id === undefined) return setMissed('An id is a number.');
    const row = /^\s*o/i.test(text) ? undefined : context.model.agents.rows.get(BigInt(id));
    if (row) {
      turn({ select: `agent ${id}` });
      context.show(...context.model.agents.placeOf(row));
    } else if (context.showObstacle(BigInt(id))) turn({ select: `obstacle ${id}` });
    else return setMissed(`No agent and no obstacle has the id ${id}.`);
    setMissed('');
    setText('');
  };
  return (
    <form class="finder" onSubmit={find}>
      <label>
        Find by id
        <input
          type="search"
          aria-label="Id of an agent, or o and the id of an obstacle"
          title="Id of an agent, or o and the id of an obstacle, such as o12"
          value={text}
          onInput={(event) => setText(event.currentTarget.value)}
        />
      </label>
      <button type="submit">Find</button>
      {route.value.select && (
        <button type="button" class="quiet" onClick={() => turn({ select: '', follow: false })}>
          List
        </button>
      )}
      {missed && <span class="bad-text">{missed}</span>}
    </form>
  );
}

const order = ['blocked', 'unreachable', 'invalidated', 'partial', 'none', 'replanned', 'improved', 'settled'];

// Agents with trouble first.
function worstFirst(a: Row, b: Row): number {
  const of = (row: Row) => order.indexOf(stateOf(row)) - (row.waiting ? 0.5 : 0);
  return of(a) - of(b) || (a.id < b.id ? -1 : 1);
}

function Lists({ context }: { context: WorldContext }) {
  void context.model.agentsTurn.value;
  void context.model.obstaclesVersion.value;
  const agents = [...context.model.agents.rows.values()].sort(worstFirst);
  const isGrid = context.model.isGrid;
  const isGraph = context.model.meta.value?.kind === 'graph';
  const obstacles = [...context.model.shown.obstacles.values()];
  return (
    <>
      <h2>Agents</h2>
      {agents.length === 0 && (
        <p class="faint pad">
          No agents yet. Take the tool <b>Place an agent</b> (A), or:
          <code class="block">repath agent add {context.name} 1 --from {isGrid ? '1,1 --to 9,9' : '1,0,1 --to 9,0,9'}</code>
        </p>
      )}
      <ol class="rows">
        {agents.slice(0, rowsShown).map((row) => (
          <li key={String(row.id)}>
            <button onClick={() => (turn({ select: `agent ${row.id}` }), context.show(...context.model.agents.placeOf(row), context.view.value.scale))}>
              <i style={{ background: agentColours[theme.value][stateOf(row)] }} />
              <b>{String(row.id)}</b>
              <span class="faint">{row.waiting ? 'waiting' : stateLabels[stateOf(row)]}</span>
              <span class="num">{row.cost > 0 ? length(row.cost) : ''}</span>
            </button>
          </li>
        ))}
      </ol>
      {agents.length > rowsShown && <p class="faint pad">And {agents.length - rowsShown} more: find one by its id, or click it on the map.</p>}
      <h2>Obstacles</h2>
      {obstacles.length === 0 && <p class="faint pad">{isGraph ? 'A graph has none: its nodes and edges are switched.' : 'None. Draw one on the map: box (B), circle (C), polygon (P), wall (W).'}</p>}
      <ol class="rows">
        {obstacles.slice(0, rowsShown).map((obstacle) => (
          <li key={String(obstacle.id)}>
            <button onClick={() => (turn({ select: `obstacle ${obstacle.id}` }), context.showObstacle(obstacle.id))}>
              <i class={`square ${obstacle.disabled ? 'hollow' : ''}`} />
              <b>{String(obstacle.id)}</b>
              <span class="faint">{obstacle.disabled ? 'open' : obstacle.effect.case === 'blocked' ? 'blocks' : 'makes dearer'}</span>
              <span class="num faint">{obstacle.shape.case}</span>
            </button>
          </li>
        ))}
      </ol>
      {obstacles.length > rowsShown && <p class="faint pad">And {obstacles.length - rowsShown} more: click one on the map.</p>}
    </>
  );
}

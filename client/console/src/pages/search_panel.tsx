// Watching a search: the question, how to search, the player, and figures of one or two searches.
import { DebugService } from '../../gen/repath/v1/debug_pb';
import { Algorithm, Heuristic } from '../../gen/repath/v1/query_pb';
import { Optimality } from '../../gen/repath/v1/common_pb';
import { curl, placeText, quoted } from '../edit/command';
import { traceOf } from '../edit/trace';
import { guided, weighted, type Run, type SearchState, type Way } from '../state/search_state';
import { statusOf } from '../state/verdict';
import type { WorldContext } from '../state/world_context';
import { Copy } from '../ui/copy';
import { Icon } from '../ui/icon';
import { NumberField } from '../ui/number_field';
import { sentence } from '../ui/shell';
import { bytes, count, length, millis } from '../ui/text';

const algorithms: [Algorithm, string, string, string[]][] = [
  [Algorithm.UNSPECIFIED, 'The server’s choice', 'auto', ['grid', 'navmesh', 'graph']],
  [Algorithm.ASTAR, 'A*', 'astar', ['grid', 'navmesh', 'graph']],
  [Algorithm.DIJKSTRA, 'Dijkstra', 'dijkstra', ['grid', 'navmesh', 'graph']],
  [Algorithm.BFS, 'Breadth first', 'bfs', ['grid', 'navmesh', 'graph']],
  [Algorithm.JPS, 'Jump point search', 'jps', ['grid']],
  [Algorithm.HPA, 'HPA*', 'hpa', ['grid']],
  [Algorithm.LPA, 'LPA*', 'lpa', ['grid', 'graph']],
  [Algorithm.DSTAR_LITE, 'D* Lite', 'dstar_lite', ['grid', 'graph']],
  [Algorithm.DSTAR, 'D*', 'dstar', ['grid', 'graph']],
  [Algorithm.FRINGE, 'Fringe', 'fringe', ['grid', 'graph']],
  [Algorithm.IDA_STAR, 'IDA*', 'ida', ['grid', 'graph']],
  [Algorithm.SMA_STAR, 'SMA*', 'sma', ['grid', 'graph']],
  [Algorithm.FLOYD_WARSHALL, 'Floyd and Warshall', 'floyd_warshall', ['grid', 'graph']],
];

const heuristics: [Heuristic, string, string][] = [
  [Heuristic.UNSPECIFIED, 'That of the steps', 'auto'],
  [Heuristic.ZERO, 'Zero', 'zero'],
  [Heuristic.MANHATTAN, 'Manhattan', 'manhattan'],
  [Heuristic.CHEBYSHEV, 'Chebyshev', 'chebyshev'],
  [Heuristic.OCTILE, 'Octile', 'octile'],
  [Heuristic.EUCLID, 'Straight line', 'euclid'],
];

export function SearchPanel({ context }: { context: WorldContext }) {
  const { search } = context;
  const ways = search.ways.value;
  const question = search.question.value;
  return (
    <>
      <h2>Question</h2>
      <div class="actions">
        <button class={question ? '' : 'main'} aria-pressed={context.tool.value === 'search'} onClick={() => (context.tool.value = 'search')}>
          <Icon name="search" /> {search.half.value ? 'Now click the goal' : question ? 'Other places' : 'Choose start and goal on the map'}
        </button>
        {question && (
          <button class="quiet" onClick={() => search.clear()}>
            Clear
          </button>
        )}
      </div>
      {ways.map((way, index) => (
        <WayForm key={index} context={context} way={way} index={index} />
      ))}
      <label class="check">
        <input type="checkbox" checked={ways.length > 1} onChange={(event) => search.compare(event.currentTarget.checked)} /> Compare with a second search
      </label>
      {question && <Player search={search} />}
      {question && <Results context={context} />}
    </>
  );
}

function WayForm({ context, way, index }: { context: WorldContext; way: Way; index: number }) {
  const { search } = context;
  const kind = context.model.meta.value?.kind ?? 'grid';
  const two = search.ways.value.length > 1;
  return (
    <>
      {two && <h2>{index === 0 ? 'Left' : 'Right'}</h2>}
      {!two && <h2>How to search</h2>}
      <div class="form">
        <label>
          <span>Algorithm</span>
          <select value={way.algorithm} onChange={(event) => search.setWay(index, { algorithm: Number(event.currentTarget.value) })}>
            {algorithms
              .filter(([, , , kinds]) => kinds.includes(kind))
              .map(([value, label]) => (
                <option key={value} value={value}>
                  {label}
                </option>
              ))}
          </select>
        </label>
        {guided.has(way.algorithm) && (
          <label>
            <span>Heuristic</span>
            <select value={way.heuristic} onChange={(event) => search.setWay(index, { heuristic: Number(event.currentTarget.value) })}>
              {heuristics.map(([value, label]) => (
                <option key={value} value={value}>
                  {label}
                </option>
              ))}
            </select>
          </label>
        )}
        {weighted.has(way.algorithm) && (
          <>
            <label>
              <span>Weight</span>
              <NumberField label="Weight" min={1} max={1000} step={0.25} value={way.weight || 1} onNumber={(weight) => search.setWay(index, { weight })} />
            </label>
            {kind !== 'navmesh' && (
              <label>
                <span>Price of a turn</span>
                <NumberField label="Price of a turn" min={0} max={1000} step={0.5} value={way.turnPenalty} onNumber={(turnPenalty) => search.setWay(index, { turnPenalty })} />
              </label>
            )}
          </>
        )}
      </div>
    </>
  );
}

function Player({ search }: { search: SearchState }) {
  const at = search.at.value;
  const last = search.length;
  const button = (icon: string, title: string, act: () => void) => (
    <button class="icon" title={title} aria-label={title} disabled={last === 0} onClick={act}>
      <Icon name={icon} />
    </button>
  );
  return (
    <>
      <div class="player">
        {button('first', 'To the beginning', () => search.seek(0))}
        {button('back', 'A step back (,)', () => search.step(-1))}
        {button(search.playing.value ? 'pause' : 'play', search.playing.value ? 'Pause (Space)' : 'Play (Space)', () => search.toggle())}
        {button('next', 'A step (.)', () => search.step(1))}
        {button('last', 'To the end', () => search.seek(last))}
        <select aria-label="Speed" value={search.speed.value} onChange={(event) => (search.speed.value = Number(event.currentTarget.value))}>
          {[0, 5, 20, 100, 500, 2000, 10_000].map((value) => (
            <option key={value} value={value}>
              {value === 0 ? 'in 6 s' : `${count(value)}/s`}
            </option>
          ))}
        </select>
        <span class="clock">
          {count(at)} of {count(last)}
        </span>
      </div>
      <label class="slide">
        <input type="range" aria-label="Step of the search" min="0" max={last} value={at} onInput={(event) => search.seek(event.currentTarget.valueAsNumber)} />
      </label>
      <p class="swatches">
        <span>
          <i class="sw-start" />
          start
        </span>
        <span>
          <i class="sw-goal" />
          goal
        </span>
        <span>
          <i class="sw-closed" />
          expanded, darker with g
        </span>
        <span>
          <i class="sw-open" />
          in the queue
        </span>
      </p>
    </>
  );
}

interface Line {
  name: string;
  value(run: Run): number | undefined;
  text(value: number): string;
}

const lines: Line[] = [
  { name: 'Cost', value: ({ answer }) => answer?.result?.path?.cost || undefined, text: length },
  { name: 'Nodes expanded', value: ({ answer }) => Number(answer?.result?.expanded ?? 0), text: count },
  { name: 'Nodes generated', value: ({ answer }) => Number(answer?.result?.generated ?? 0) || undefined, text: count },
  { name: 'Memory', value: ({ answer }) => Number(answer?.result?.peakBytes ?? 0) || undefined, text: bytes },
  { name: 'Waypoints', value: ({ answer }) => (answer?.result?.path?.positions.length ?? 0) / 3 || undefined, text: count },
  { name: 'Time of the call', value: ({ ms }) => ms, text: millis },
];

function Results({ context }: { context: WorldContext }) {
  const { search } = context;
  const ways = search.ways.value;
  const runs = search.runs.value.slice(0, ways.length);
  if (search.busy.value) return <p class="faint pad">Searching…</p>;
  return (
    <>
      {runs.map(({ error }, i) => error && <p key={i} class="bad-text pad">{sentence(error.message)}</p>)}
      {runs.some(({ answer }) => answer) && (
        <table class="compare">
          <thead>
            <tr>
              <th />
              {runs.map((_, i) => (
                <th key={i} class="num">
                  {algorithms.find(([value]) => value === ways[i]!.algorithm)?.[1]}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            <tr>
              <td>Result</td>
              {runs.map(({ answer }, i) => (
                <td key={i} class="num">
                  {answer?.result?.path ? resultOf(answer.result.path.status, answer.result.path.optimality) : '–'}
                </td>
              ))}
            </tr>
            {lines.map((line) => (
              <ResultRow key={line.name} line={line} runs={runs} />
            ))}
          </tbody>
        </table>
      )}
      {runs.some(({ answer }) => answer?.truncated) && <p class="faint pad">The search was too large to be shown whole: some nodes or steps are missing.</p>}
      <div class="actions">
        {ways.map((way, i) => {
          const of = ways.length > 1 ? (i === 0 ? 'left: ' : 'right: ') : '';
          return (
            <>
              <Copy label={`${of}repath`} text={() => commandOf(context, way)} />
              <Copy label={`${of}curl`} text={() => curl(DebugService.method.explainPath, search.requestOf(way))} />
              {runs[i]?.film && <Copy label={`${of}Posthoc trace`} text={() => traceOf(runs[i]!.film!)} />}
            </>
          );
        })}
      </div>
    </>
  );
}

function resultOf(status: number, optimality: Optimality): string {
  const claim = Optimality[optimality] ?? '';
  return `${statusOf(status)}${optimality ? `, ${claim}` : ''}`.toLowerCase().replaceAll('_', ' ');
}

function ResultRow({ line, runs }: { line: Line; runs: Run[] }) {
  const values = runs.map((run) => (run.answer ? line.value(run) : undefined));
  const least = Math.min(...values.map((value) => value ?? Infinity));
  const differ = runs.length > 1 && values.some((value) => value !== least);
  return (
    <tr>
      <td>{line.name}</td>
      {values.map((value, i) => (
        <td key={i} class={`num ${differ && value === least ? 'best' : ''}`}>
          {value === undefined ? '–' : line.text(value)}
        </td>
      ))}
    </tr>
  );
}

function commandOf(context: WorldContext, way: Way): string {
  const { request } = context.search.requestOf(way);
  const goal = request!.goals![0] as Parameters<typeof placeText>[0];
  const parts = [
    `repath path explain ${quoted(context.name)} --from ${placeText(request!.from as Parameters<typeof placeText>[0])} --to ${placeText(goal)}`,
    `--algorithm ${algorithms.find(([value]) => value === way.algorithm)?.[2]}`,
    way.heuristic ? `--heuristic ${heuristics.find(([value]) => value === way.heuristic)?.[2]}` : '',
    way.weight > 1 ? `--weight ${way.weight}` : '',
    way.turnPenalty > 0 ? `--turn-penalty ${way.turnPenalty}` : '',
  ];
  return parts.filter(Boolean).join(' ');
}

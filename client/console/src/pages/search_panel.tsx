// Watching a search: the question, how to search, the player, and figures of one or two searches.
import { DebugService } from '../../gen/repath/v1/debug_pb';
import { Smoothing } from '../../gen/repath/v1/query_pb';
import { Optimality } from '../../gen/repath/v1/common_pb';
import { curl, placeText, quoted } from '../edit/command';
import { traceOf } from '../edit/trace';
import type { Question, Way } from '../state/question';
import { route, turn } from '../state/route';
import type { Run, SearchState } from '../state/search_state';
import { statusOf } from '../state/verdict';
import type { WorldContext } from '../state/world_context';
import { Copy } from '../ui/copy';
import { Icon } from '../ui/icon';
import { sentence } from '../ui/shell';
import { bytes, count, length, millis } from '../ui/text';
import { algorithms, heuristics, More, Numbered, WayForm } from './way_form';

export function SearchPanel({ context }: { context: WorldContext }) {
  const { search } = context;
  const ways = search.ways.value;
  const question = search.question.value;
  return (
    <>
      <h2>Question</h2>
      <div class="actions">
        <button class={question ? '' : 'main'} aria-pressed={context.tool.value === 'search' && !search.adding.value} onClick={() => search.begin()}>
          <Icon name="search" /> {search.half.value ? 'Now click the goal' : question ? 'Other places' : 'Choose start and goal on the map'}
        </button>
        {question && !search.half.value && (
          <button
            title="The path leads to the goal that is cheapest to reach. With the tool, Shift and a click add one too"
            aria-pressed={search.adding.value}
            onClick={() => search.begin(!search.adding.value)}
          >
            {search.adding.value ? 'Click the goal' : question.goals.length > 1 ? `Add to ${question.goals.length} goals` : 'Add a goal'}
          </button>
        )}
        {question && (
          <button class="quiet" onClick={() => search.clear()}>
            Clear
          </button>
        )}
      </div>
      {context.model.shownPast.value && <p class="faint pad">The map shows revision {count(BigInt(route.value.past || 0))}, and that one is searched.</p>}
      {question && <Player search={search} />}
      {question && <QuestionOptions search={search} question={question} />}
      {ways.map((way, index) => (
        <WayForm key={index} context={context} way={way} index={index} />
      ))}
      <label class="check">
        <input type="checkbox" checked={ways.length > 1} onChange={(event) => search.compare(event.currentTarget.checked)} /> Compare with a second search
      </label>
      {question && <Results context={context} />}
    </>
  );
}

// The rest of the question, beside the two places.
function QuestionOptions({ search, question }: { search: SearchState; question: Question }) {
  const { goalRadius, allowPartial, snapStart } = question;
  return (
    <More title="Goal and start" open={goalRadius > 0 || allowPartial || snapStart}>
      <Numbered name="Radius of the goal" title="World units, straight" min={0} max={64} value={goalRadius} onNumber={(radius) => search.setQuestion({ goalRadius: radius })} />
      <label class="wide-row" title="If the goal cannot be reached">
        <input type="checkbox" checked={allowPartial} onChange={(event) => search.setQuestion({ allowPartial: event.currentTarget.checked })} /> Else to the nearest place
      </label>
      <label class="wide-row" title="If the start is blocked">
        <input type="checkbox" checked={snapStart} onChange={(event) => search.setQuestion({ snapStart: event.currentTarget.checked })} /> Else from the nearest free place
      </label>
    </More>
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
        <select aria-label="Speed" value={search.speed.value} onChange={(event) => turn({ speed: Number(event.currentTarget.value) })}>
          {[...new Set([0, 5, 20, 100, 500, 2000, 10_000, search.speed.value])].map((value) => (
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
  { name: 'At revision', value: ({ answer }) => Number(answer?.result?.path?.revision ?? 0) || undefined, text: count },
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
  const { profile, team, smoothing, maxExpansions, memoryLimitBytes, clusterSide, clusterLevels } = way;
  const option = (name: string, value: number | string | bigint | undefined) => (value ? `--${name} ${value}` : '');
  const goals = request!.goals as Parameters<typeof placeText>[0][];
  const parts = [
    `repath path explain ${quoted(context.name)} --from ${placeText(request!.from as Parameters<typeof placeText>[0])} ${goals.map((goal) => `--to ${placeText(goal)}`).join(' ')}`,
    `--algorithm ${algorithms.find(([value]) => value === way.algorithm)?.[2]}`,
    way.heuristic ? `--heuristic ${heuristics.find(([value]) => value === way.heuristic)?.[2]}` : '',
    way.weight > 1 ? `--weight ${way.weight}` : '',
    option('turn-penalty', way.turnPenalty),
    option('profile', profile && quoted(profile)),
    option('team', team),
    option('radius', request!.goalRadius),
    request!.allowPartial ? '--partial' : '',
    request!.snapStart ? '--snap' : '',
    option('smooth', (Smoothing[smoothing] ?? '').toLowerCase().replace('unspecified', '')),
    option('max-expansions', maxExpansions),
    option('memory-limit', memoryLimitBytes),
    option('cluster-side', clusterSide),
    option('levels', clusterLevels),
    option('at-revision', request!.options?.atRevision),
  ];
  return parts.filter(Boolean).join(' ');
}

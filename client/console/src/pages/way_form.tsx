// How to search: algorithm, heuristic, and what else a query can choose. An option that belongs to the world is shown with the reason why it cannot be chosen.
import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import { CornerRule, Topology } from '../../gen/repath/v1/common_pb';
import type { Profile } from '../../gen/repath/v1/profile_pb';
import { Algorithm, Heuristic, Smoothing } from '../../gen/repath/v1/query_pb';
import { WorldService } from '../../gen/repath/v1/world_pb';
import { freshRequestId } from '../edit/draft';
import { guided, limited, weighted, type Way } from '../state/question';
import { profileNamed, stepsOf, withSteps, type Steps } from '../state/steps';
import type { WorldContext } from '../state/world_context';
import { NumberField, type NumberFieldProps } from '../ui/number_field';
import { sentence } from '../ui/shell';
import { errorOf } from '../wire/error';
import { call } from '../wire/rpc';

export const algorithms: [Algorithm, string, string, string[]][] = [
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

export const heuristics: [Heuristic, string, string][] = [
  [Heuristic.UNSPECIFIED, 'That of the steps', 'auto'],
  [Heuristic.ZERO, 'Zero', 'zero'],
  [Heuristic.MANHATTAN, 'Manhattan', 'manhattan'],
  [Heuristic.CHEBYSHEV, 'Chebyshev', 'chebyshev'],
  [Heuristic.OCTILE, 'Octile', 'octile'],
  [Heuristic.EUCLID, 'Straight line', 'euclid'],
];

const mebibyte = 1 << 20;

interface FormProps {
  context: WorldContext;
  way: Way;
  index: number;
}

function Choice({ name, value, options, choose }: { name: string; value: number | string; options: [number | string, string][]; choose: (value: string) => void }) {
  return (
    <label>
      <span>{name}</span>
      <select value={value} onChange={(event) => choose(event.currentTarget.value)}>
        {options.map(([option, label]) => (
          <option key={option} value={option}>
            {label}
          </option>
        ))}
      </select>
    </label>
  );
}

export function Numbered({ name, title, ...field }: Omit<NumberFieldProps, 'label'> & { name: string; title?: string }) {
  return (
    <label title={title}>
      <span>{name}</span>
      <NumberField label={name} {...field} />
    </label>
  );
}

// Options that are seldom wanted; they are open if one of them is set.
export function More({ title, open, children }: { title: string; open: boolean; children: ComponentChildren }) {
  const [wasOpen] = useState(open);
  return (
    <details class="more" open={wasOpen}>
      <summary>{title}</summary>
      <div class="form">{children}</div>
    </details>
  );
}

export function WayForm({ context, way, index }: FormProps) {
  const { search, model } = context;
  const world = model.meta.value;
  const kind = world?.kind ?? 'grid';
  const two = search.ways.value.length > 1;
  const set = (change: Partial<Way>) => search.setWay(index, change);
  const profiles = new Set([...(world?.profiles ?? []).map(({ name }) => name), way.profile || 'default']);
  return (
    <>
      <h2>{!two ? 'How to search' : index === 0 ? 'Left' : 'Right'}</h2>
      <div class="form">
        <Choice
          name="Algorithm"
          value={way.algorithm}
          options={algorithms.filter(([, , , kinds]) => kinds.includes(kind)).map(([value, label]) => [value, label])}
          choose={(value) => set({ algorithm: Number(value) })}
        />
        {guided.has(way.algorithm) && (
          <Choice name="Heuristic" value={way.heuristic} options={heuristics.map(([value, label]) => [value, label])} choose={(value) => set({ heuristic: Number(value) })} />
        )}
        {weighted.has(way.algorithm) && (
          <>
            <Numbered name="Weight" min={1} max={1000} step={0.25} value={way.weight || 1} onNumber={(weight) => set({ weight })} />
            {kind !== 'navmesh' && <Numbered name="Price of a turn" min={0} max={1000} step={0.5} value={way.turnPenalty} onNumber={(turnPenalty) => set({ turnPenalty })} />}
          </>
        )}
        <Choice
          name="Profile"
          value={way.profile || 'default'}
          options={[...profiles].map((name) => [name, name])}
          choose={(name) => set({ profile: name === 'default' ? '' : name })}
        />
        {kind === 'grid' && world && <StepsOf context={context} profiles={world.profiles} way={way} index={index} />}
        {kind !== 'graph' && <Numbered name="Team" title="Obstacles, influence and fog may differ by team" min={0} max={31} step={1} value={way.team} onNumber={(team) => set({ team })} />}
      </div>
      {kind !== 'grid' && (
        <p class="faint pad">{kind === 'graph' ? 'Its edges say which nodes are neighbours.' : 'Neighbours are cells of the ground that share a portal or a link.'} Neighbours and corners are chosen on grids alone.</p>
      )}
      <Limits context={context} way={way} index={index} />
    </>
  );
}

const corners: [number, string][] = [
  [CornerRule.NONE, 'not cut'],
  [CornerRule.ONE, 'cut if one side is free'],
];

// Neighbours and corners: those of the profile. Others are chosen by another profile, which is added if the world has none such.
function StepsOf({ context, profiles, way, index }: FormProps & { profiles: readonly Profile[] }) {
  const [wanted, want] = useState<Steps | undefined>(undefined);
  const [trouble, setTrouble] = useState('');
  const profile = profileNamed(profiles, way.profile);
  const steps = wanted ?? stepsOf(profile);
  const found = wanted && withSteps(profiles, profile, wanted);
  const use = (name: string) => {
    want(undefined);
    context.search.setWay(index, { profile: name === 'default' ? '' : name });
  };
  const choose = (change: Partial<Steps>) => {
    const next = { ...steps, ...change };
    if (next.topology !== Topology.TOPOLOGY_8) next.cornerRule = CornerRule.NONE;
    const there = withSteps(profiles, profile, next);
    if (there.isNew) want(next);
    else use(there.profile.name);
  };
  const add = async () => {
    try {
      await call(WorldService.method.applyChanges, { world: context.name, batch: { addProfiles: [found!.profile] }, requestId: freshRequestId() });
      setTrouble('');
      use(found!.profile.name);
    } catch (thrown) {
      setTrouble(errorOf(thrown).message);
    }
  };
  if (steps.topology === Topology.TOPOLOGY_HEX) return <Fixed name="Neighbours" value="6, hexagons" title="The world is made of hexagons. Steps between them cut no corner" />;
  return (
    <>
      <Choice
        name="Neighbours"
        value={steps.topology}
        options={[
          [Topology.TOPOLOGY_4, '4'],
          [Topology.TOPOLOGY_8, '8'],
        ]}
        choose={(value) => choose({ topology: Number(value) })}
      />
      {steps.topology === Topology.TOPOLOGY_8 && <Choice name="Corners" value={steps.cornerRule} options={corners} choose={(value) => choose({ cornerRule: Number(value) })} />}
      {found && (
        <div class="wide-row">
          <p class="faint">
            Steps belong to a profile, and no profile of this world is <b>{profile.name}</b> with these.
          </p>
          <button class="main" disabled={context.access.noWrite.value !== ''} title={context.access.noWrite.value} onClick={() => void add()}>
            Add profile {found.profile.name}
          </button>{' '}
          <button onClick={() => want(undefined)}>Cancel</button>
          {trouble && <p class="bad-text">{sentence(trouble)}</p>}
        </div>
      )}
    </>
  );
}

function Fixed({ name, value, title }: { name: string; value: string; title: string }) {
  return (
    <label title={title}>
      <span>{name}</span>
      <span>{value}</span>
    </label>
  );
}

function Limits({ context, way, index }: FormProps) {
  const kind = context.model.meta.value?.kind ?? 'grid';
  const set = (change: Partial<Way>) => context.search.setWay(index, change);
  const { maxExpansions, smoothing, memoryLimitBytes, clusterSide, clusterLevels } = way;
  const smooth: [number, string][] = [
    [Smoothing.UNSPECIFIED, 'none'],
    ...(kind === 'grid' ? ([[Smoothing.STRAIGHT, 'straight lines']] as [number, string][]) : []),
    [Smoothing.CURVES, 'curves'],
  ];
  return (
    <More title="More options" open={maxExpansions + smoothing + memoryLimitBytes + clusterSide + clusterLevels > 0}>
      <Numbered name="Nodes at most" title="Expanded nodes, then OUT_OF_BUDGET; 0: no limit" min={0} max={1e9} step={1} value={maxExpansions} onNumber={(n) => set({ maxExpansions: n })} />
      {kind !== 'graph' && !context.model.isHex && (
        <Choice name="Smoothing" value={smoothing} options={smooth} choose={(value) => set({ smoothing: Number(value) })} />
      )}
      {limited.has(way.algorithm) && (
        <Numbered
          name="Memory, MiB"
          title="0: the server’s default"
          min={0}
          max={1024}
          value={memoryLimitBytes / mebibyte}
          onNumber={(size) => set({ memoryLimitBytes: Math.round(size * mebibyte) })}
        />
      )}
      {way.algorithm === Algorithm.HPA && (
        <>
          <Numbered name="Side of a cluster" title="Cells, 8 to 64; 0: that of the world" min={0} max={64} step={1} value={clusterSide} onNumber={(n) => set({ clusterSide: n })} />
          <Numbered name="Levels" title="1 to 3; 0: those of the world" min={0} max={3} step={1} value={clusterLevels} onNumber={(n) => set({ clusterLevels: n })} />
        </>
      )}
    </More>
  );
}

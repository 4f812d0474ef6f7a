// The parts over the map: tools, layers, the key to the colours, the place under the pointer.
import { radiusMost } from '../raster/clearance';
import { agentColours, agentStates, hexOf, paletteOf } from '../raster/palette';
import { colourOfPlacement, placement } from '../raster/placement_pixels';
import { route, turn } from '../state/route';
import { theme } from '../state/theme';
import { teamMost, towerSideMost } from '../state/tower';
import { stateOf } from '../state/agent_table';
import { stateLabels } from '../state/verdict';
import { walked, walkFrom, walkTrouble } from '../state/walkers';
import type { Tool, WorldContext } from '../state/world_context';
import { Icon } from '../ui/icon';
import { NumberField } from '../ui/number_field';
import { count } from '../ui/text';

const tools: { tool: Tool; icon: string; title: string; key: string; not?: string[] }[] = [
  { tool: 'select', icon: 'pointer', title: 'Select and pan', key: 'V' },
  { tool: 'box', icon: 'box', title: 'Draw a box', key: 'B', not: ['graph'] },
  { tool: 'disc', icon: 'disc', title: 'Draw a circle', key: 'C', not: ['graph'] },
  { tool: 'polygon', icon: 'polygon', title: 'Draw a polygon', key: 'P', not: ['graph'] },
  { tool: 'wall', icon: 'wall', title: 'Draw a wall', key: 'W', not: ['graph'] },
  { tool: 'agent', icon: 'agent', title: 'Place an agent', key: 'A' },
  { tool: 'goal', icon: 'goal', title: 'Give the selected agent a goal', key: 'G' },
  { tool: 'search', icon: 'search', title: 'Watch a search: start, then goal', key: 'S' },
];

export function Toolbar({ context }: { context: WorldContext }) {
  const kind = context.model.meta.value?.kind ?? 'grid';
  const { width, height } = context.size.value;
  return (
    <div class="tools" role="toolbar" aria-label="Tools">
      {tools
        .filter(({ not }) => !not?.includes(kind))
        .map(({ tool, icon, title, key }) => (
          <button
            key={tool}
            class="icon"
            title={context.mayNot(tool) || `${title} (${key})`}
            aria-label={title}
            disabled={context.mayNot(tool) !== ''}
            aria-pressed={context.tool.value === tool}
            onClick={() => context.choose(tool)}
          >
            <Icon name={icon} />
          </button>
        ))}
      <hr />
      <button class="icon" title="Zoom in (+)" aria-label="Zoom in" onClick={() => context.zoom(1.5, width / 2, height / 2)}>
        <Icon name="plus" />
      </button>
      <button class="icon" title="Zoom out (-)" aria-label="Zoom out" onClick={() => context.zoom(1 / 1.5, width / 2, height / 2)}>
        <Icon name="minus" />
      </button>
      <button class="icon" title="Show all (0)" aria-label="Show all" onClick={() => context.fit()}>
        <Icon name="fit" />
      </button>
    </div>
  );
}

const grounds: Record<string, [string, string][]> = {
  grid: [
    ['terrain', 'Terrain'],
    ['costs', 'Costs'],
    ['obstacles', 'Obstacles by id'],
    ['components', 'Components'],
    ['clearance', 'Clearance'],
    ['team', 'Influence and fog'],
  ],
  navmesh: [
    ['terrain', 'Ground'],
    ['obstacles', 'Obstacles by id'],
    ['components', 'Cells'],
  ],
  graph: [['terrain', 'Graph']],
};

// Layers that have a number, with the first one shown.
const firstOf: Record<string, string> = { team: 'team 0', clearance: 'clearance 1' };

export function LayerBar({ context }: { context: WorldContext }) {
  const kind = context.model.meta.value?.kind ?? 'grid';
  const layers = context.layers.value;
  const floors = context.model.floors.value;
  return (
    <div class="layers">
      <select
        aria-label="Ground layer"
        value={route.value.layer.split(' ')[0]}
        onChange={(event) => turn({ layer: firstOf[event.currentTarget.value] ?? event.currentTarget.value })}
      >
        {grounds[kind]!.map(([value, label]) => (
          <option key={value} value={value}>
            {label}
          </option>
        ))}
      </select>
      {route.value.layer.startsWith('team ') && (
        <TeamChooser label="Team" team={Number(route.value.layer.slice(5))} choose={(team) => turn({ layer: `team ${team}` })} />
      )}
      {context.model.teamTrouble.value && <span class="bad-text">{context.model.teamTrouble.value.message}</span>}
      {route.value.layer.startsWith('clearance ') && (
        <label title="Dark: no room for a walker of this radius, in cells. Bright: just enough room">
          Radius{' '}
          <input
            type="number"
            class="short"
            min="0"
            max={radiusMost}
            step="0.5"
            value={route.value.layer.slice(10)}
            onInput={({ currentTarget: { valueAsNumber: radius } }) => radius >= 0 && radius <= radiusMost && turn({ layer: `clearance ${radius}` })}
          />
        </label>
      )}
      {kind === 'navmesh' && (
        <span title="The ground that agents of this profile can use: walls and obstacles are grown by its radius">
          <ProfileChooser context={context} profile={route.value.profile || 'default'} choose={(name) => turn({ profile: name === 'default' ? '' : name })} />
        </span>
      )}
      {kind === 'navmesh' && floors > 1 && (
        <select aria-label="Floor" value={layers.floor} onChange={(event) => turn({ floor: Number(event.currentTarget.value) })}>
          <option value={-1}>All floors</option>
          {Array.from({ length: floors }, (_, floor) => (
            <option key={floor} value={floor}>
              Floor {floor}
            </option>
          ))}
        </select>
      )}
      <label>
        <input type="checkbox" checked={layers.agents} onChange={() => context.flip('agents')} /> Agents
      </label>
      <label>
        <input type="checkbox" checked={layers.paths} onChange={() => context.flip('paths')} /> Paths
      </label>
      {kind === 'navmesh' && (
        <label title="Edges that two cells of the ground share">
          <input type="checkbox" checked={layers.portals} onChange={() => context.flip('portals')} /> Portals
        </label>
      )}
      {kind === 'grid' && <Towers context={context} />}
      <label class="walk" title="This page moves the agents that belong to no session along their paths, there and back">
        <input
          type="checkbox"
          checked={walked.value === context.name}
          disabled={context.access.noAgents.value !== ''}
          onChange={(event) => walkFrom(event.currentTarget.checked ? context.name : '')}
        />{' '}
        Walk
      </label>
      {walkTrouble.value && <span class="bad-text">{walkTrouble.value.message}</span>}
    </div>
  );
}

function TeamChooser({ label, team, choose }: { label: string; team: number; choose: (team: number) => void }) {
  return (
    <label>
      {label}{' '}
      <input
        type="number"
        class="short"
        min="0"
        max={teamMost}
        value={team}
        onInput={({ currentTarget: { valueAsNumber: team } }) => team >= 0 && team <= teamMost && choose(Math.floor(team))}
      />
    </label>
  );
}

// The profiles of the world, and the one that is chosen even if the world has none of that name.
function ProfileChooser({ context, profile, choose }: { context: WorldContext; profile: string; choose: (profile: string) => void }) {
  const names = new Set([...(context.model.meta.value?.profiles ?? []).map(({ name }) => name), profile]);
  if (names.size < 2) return null;
  return (
    <select aria-label="Profile" value={profile} onChange={(event) => choose(event.currentTarget.value)}>
      {[...names].map((name) => (
        <option key={name} value={name}>
          {name}
        </option>
      ))}
    </select>
  );
}

// Where a tower may stand, its size, and for whom the ground must be free there.
function Towers({ context }: { context: WorldContext }) {
  const { placements } = context;
  const { on, chosen, size } = placements;
  const side = (name: 'width' | 'height', label: string) => (
    <NumberField short label={label} min={1} max={towerSideMost} step={1} value={size.value[name]} onNumber={(cells) => placements.choose({ [name]: cells })} />
  );
  return (
    <>
      <label title="Cells where the upper left cell of a tower may stand without cutting an agent off. A click with the box tool draws such a tower">
        <input type="checkbox" checked={on.value} onChange={(event) => placements.show(event.currentTarget.checked)} /> Towers
      </label>
      {on.value && (
        <span class="sides" title="Size, and the profile and the team for which the ground must be free">
          {side('width', 'Columns of the tower')} × {side('height', 'Rows of the tower')}
          <ProfileChooser context={context} profile={chosen.value.profile} choose={(profile) => placements.choose({ profile })} />{' '}
          <TeamChooser label="for team" team={chosen.value.team} choose={(team) => placements.choose({ team })} />
        </span>
      )}
    </>
  );
}

const towerLabels: [number, string][] = [
  [placement.free, 'A tower may stand'],
  [placement.agent, 'On an agent'],
  [placement.cutsOff, 'Cuts an agent off'],
  [placement.unknown, 'Not known'],
];

// The pattern of an answer, as the map has it.
function patternOf(answer: number): string {
  const colour = hexOf(colourOfPlacement(answer, paletteOf(theme.value)));
  if (answer === placement.free) return `${colour}32`;
  if (answer === placement.unknown) return `radial-gradient(${colour} 30%, transparent 32%) 0 0 / 5px 5px`;
  return `repeating-linear-gradient(${answer === placement.agent ? 135 : 45}deg, ${colour} 0 3px, ${colour}47 3px 6px)`;
}

function TowerLegend({ context }: { context: WorldContext }) {
  const { counts, isShown, seen, trouble } = context.placements;
  if (!isShown.value) return null;
  const told = counts.value;
  return (
    <ul class="legend-part" aria-label="Places for towers">
      {trouble.value && <li class="bad-text">{trouble.value.message}</li>}
      {!seen.value && <li>Zoom in to see where towers may stand</li>}
      {told &&
        towerLabels
          .filter(([answer]) => told[answer])
          .map(([answer, label]) => (
            <li key={answer}>
              <i class="patch" style={{ background: patternOf(answer) }} />
              {label} <b>{count(told[answer]!)}</b>
            </li>
          ))}
    </ul>
  );
}

export function Legend({ context }: { context: WorldContext }) {
  const { isShown } = context.placements;
  // The agents of the past are others, see history_panel.tsx.
  const hasAgents = context.model.agents.rows.size > 0 && !context.model.shownPast.value;
  void context.model.agentsTurn.value;
  if (!hasAgents && !isShown.value) return null;
  return (
    <div class="legend">
      <TowerLegend context={context} />
      {hasAgents && <AgentLegend context={context} />}
    </div>
  );
}

function AgentLegend({ context }: { context: WorldContext }) {
  void context.model.agentsTurn.value;
  const counts = new Map<string, number>();
  let waiting = 0;
  for (const row of context.model.agents.rows.values()) {
    const state = stateOf(row);
    counts.set(state, (counts.get(state) ?? 0) + 1);
    if (row.waiting) ++waiting;
  }
  if (counts.size === 0) return null;
  return (
    <ul class="legend-part" aria-label="Agents by state">
      {agentStates
        .filter((state) => counts.get(state))
        .map((state) => (
          <li key={state}>
            <i style={{ background: agentColours[theme.value][state] }} />
            {stateLabels[state]} <b>{count(counts.get(state)!)}</b>
          </li>
        ))}
      {waiting > 0 && (
        <li>
          <i class="ring" />
          Waiting <b>{count(waiting)}</b>
        </li>
      )}
    </ul>
  );
}


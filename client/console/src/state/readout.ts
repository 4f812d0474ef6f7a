// Describes a place of the map in a few lines.
import type { TerrainClass } from '../../gen/repath/v1/profile_pb';
import type { Probed, ProbedNode } from '../raster/probe';
import { count, length } from '../ui/text';

export interface Facts {
  kind: string; // Of the world.
  terrain: readonly Pick<TerrainClass, 'name'>[];
  nodes: readonly bigint[]; // Ids of a graph's nodes.
  floor: string; // Name of the floor shown; empty: all, or there is only one.
  // The node of a graph at a place.
  nodeAt(place: [number, number]): bigint | undefined;
  // Returns the effect of an obstacle, such as 'blocks'; empty if the obstacle is not known.
  effectOf(id: string): string;
}

const obstaclesSaid = 3;
const factorAt = (level: number) => Math.exp((level / 254) * Math.log(1000)); // As feed/ground.ts makes levels.

export function placeOf([x, y]: [number, number], kind: string): string {
  return kind === 'grid' ? `${Math.floor(x)}, ${Math.floor(y)}` : `${x.toFixed(2)}, ${y.toFixed(2)}`;
}

function nameOf(probed: Probed, { kind, nodes, floor }: Facts): string {
  const place = placeOf(probed.at, kind);
  if (kind === 'grid') return `cell ${place}`;
  if (probed.node !== undefined) return `node ${nodes[probed.node]}`;
  if (probed.edge) return `edge ${probed.edge.map((end) => nodes[end]).join(' – ')}`;
  const height = probed.height === undefined ? '' : ` · height ${length(probed.height)}`;
  return `${place}${height}${floor && ` · ${floor}`}`;
}

function groundOf(probed: Probed, { kind, terrain }: Facts): string {
  if (!probed.inside) return kind === 'grid' ? 'outside of the map' : kind === 'graph' ? '' : 'no ground';
  if (kind === 'graph') return probed.disabled ? 'disabled' : '';
  const name = kind === 'grid' ? (terrain[probed.terrain]?.name ?? `class ${probed.terrain}`) : `ground ${probed.cell}, area ${probed.terrain}`;
  const cost = probed.blocked ? 'blocked' : `cost × ${+probed.factor.toFixed(3)}`;
  return `${name} · ${cost}`;
}

function obstaclesOf({ obstacles }: Probed, { effectOf }: Facts): string {
  const said = obstacles.slice(0, obstaclesSaid).map((id) => (id.startsWith('body ') ? `agent ${id.slice(5)} stands here` : `obstacle ${id} ${effectOf(id)}`.trim()));
  const more = obstacles.length - said.length;
  return said.join(' · ') + (more > 0 ? ` · ${more} more` : '');
}

function layerOf({ component, room, overlay }: Probed): string {
  if (component !== undefined) return component > 0 ? `component ${component}` : '';
  if (room !== undefined) return room > 0 ? `clearance ${length(room)} cells` : '';
  if (overlay === 255) return 'hidden by fog';
  return overlay > 0 ? `influence × ${factorAt(overlay).toFixed(1)}` : '';
}

function ordinal(n: number): string {
  const ending = n % 100 > 10 && n % 100 < 14 ? 'th' : (['th', 'st', 'nd', 'rd'][n % 10] ?? 'th');
  return `${count(n)}${ending}`;
}

export function filmLines(node: ProbedNode, { kind, nodeAt }: Pick<Facts, 'kind' | 'nodeAt'>): string[] {
  if (!node.reached) return ['not reached yet'];
  const known = Number.isFinite(node.g);
  const estimates = node.h === undefined || !known ? '' : ` h ${length(node.h)} f ${length(node.g + node.h)}`;
  const times = node.times > 1 ? `, ${count(node.times)} times by now` : '';
  const state = node.order === undefined ? 'in the queue' : `expanded ${ordinal(node.order)}${times}`;
  const id = node.parent && nodeAt(node.parent);
  const from = node.parent ? ` · from ${id === undefined ? placeOf(node.parent, kind) : `node ${id}`}` : '';
  return [`${known ? `g ${length(node.g)}` : 'no g'}${estimates}`, state + from];
}

// The first line names the place. `agent`: the id of an agent that is there.
export function linesOf(probed: Probed, facts: Facts, agent?: bigint): string[] {
  const lines = [nameOf(probed, facts), groundOf(probed, facts), obstaclesOf(probed, facts), agent === undefined ? '' : `agent ${agent}`, layerOf(probed)];
  return lines.filter(Boolean);
}

// The facts of one place of the map: its ground, the obstacles on it, and its node in the search that is played.
import type { Film } from './film_pixels';
import type { GraphGround, MeshGround } from './ground_pixels';

// A node of a search at the step that is shown.
export interface ProbedNode {
  at: [number, number];
  g: number;
  h: number | undefined; // Nothing: the search has no estimates.
  parent: [number, number] | undefined;
  order: number | undefined; // The step at which it was expanded first, from 1 on; nothing: not by now.
  times: number; // How often it was expanded by now.
  reached: boolean;
}

export interface Probed {
  at: [number, number];
  inside: boolean; // Whether there is ground.
  terrain: number; // Class of the ground of a grid, area type of a mesh.
  factor: number; // The ground's factor of the cost times those of the obstacles.
  blocked: boolean;
  obstacles: string[]; // Ids, and 'body ID'.
  component: number | undefined; // As the map numbers them, while it shows them.
  room: number | undefined; // In cells, while the map shows it.
  overlay: number; // For the team that is shown: 0 nothing, 1 to 254 influence, 255 hidden.
  cell: number | undefined; // Cell of a mesh.
  height: number | undefined; // Mean of the corners of that cell.
  node: number | undefined; // Index of a node of a graph.
  edge: [number, number] | undefined; // Nodes of the edge of a graph that is nearest, if no node is near.
  disabled: boolean; // That node or edge.
  film: ProbedNode | undefined;
}

export function nothingAt(x: number, y: number): Probed {
  const none = { component: undefined, room: undefined, cell: undefined, height: undefined, node: undefined, edge: undefined, film: undefined };
  return { at: [x, y], inside: false, terrain: 0, factor: 1, blocked: false, obstacles: [], overlay: 0, disabled: false, ...none };
}

// The cell of a mesh at a place: of one floor, or with -1 the highest. -1: none.
export function cellAt({ counts, corners, floors }: MeshGround, x: number, y: number, floor: number): number {
  let found = -1;
  let first = 0;
  counts.forEach((count, cell) => {
    if ((floor < 0 || floors[cell] === floor) && within(corners, first, count, x, y)) found = cell;
    first += count;
  });
  return found;
}

function within(corners: Float64Array, first: number, count: number, x: number, y: number): boolean {
  let inside = false;
  for (let i = first, j = first + count - 1; i < first + count; j = i++) {
    const [ax, ay, bx, by] = [corners[j * 2]!, corners[j * 2 + 1]!, corners[i * 2]!, corners[i * 2 + 1]!];
    if (ay > y !== by > y && x < ax + ((bx - ax) * (y - ay)) / (by - ay)) inside = !inside;
  }
  return inside;
}

// The node of a graph within `reach` of a place, or else the edge.
export function graphAt({ nodes, edges }: GraphGround, x: number, y: number, reach: number): { node: number } | { edge: number } | undefined {
  const node = nearest(nodes, x, y, reach);
  if (node >= 0) return { node };
  let [best, least] = [-1, reach];
  for (let edge = 0; edge * 2 < edges.length; ++edge) {
    const [a, b] = [edges[edge * 2]! * 2, edges[edge * 2 + 1]! * 2];
    const [dx, dy] = [nodes[b]! - nodes[a]!, nodes[b + 1]! - nodes[a + 1]!];
    const t = Math.max(0, Math.min(1, ((x - nodes[a]!) * dx + (y - nodes[a + 1]!) * dy) / (dx * dx + dy * dy || 1)));
    const far = Math.hypot(nodes[a]! + t * dx - x, nodes[a + 1]! + t * dy - y);
    if (far < least) [best, least] = [edge, far];
  }
  return best < 0 ? undefined : { edge: best };
}

function nearest(points: ArrayLike<number>, x: number, y: number, reach: number): number {
  let [best, least] = [-1, reach];
  for (let i = 0; i * 2 < points.length; ++i) {
    const far = Math.hypot(points[i * 2]! - x, points[i * 2 + 1]! - y);
    if (far < least) [best, least] = [i, far];
  }
  return best;
}

// Returns the node of a film at a place, within `reach`; on grids the node of that cell. If there are several, it returns the one that
// was reached by now at the least cost.
export function filmNodeAt(film: Film, step: number, x: number, y: number, reach: number): ProbedNode | undefined {
  const near = film.grid ? nearest(film.points, Math.floor(x) + 0.5, Math.floor(y) + 0.5, 0.1) : nearest(film.points, x, y, reach);
  if (near < 0) return undefined;
  const place = (node: number): [number, number] => [film.points[node * 2]!, film.points[node * 2 + 1]!];
  const at = place(near);
  let best = near;
  const rank = (node: number) => (film.reachedAt[node]! > step ? Infinity : film.g[node]!);
  for (let node = 0; node < film.parents.length; ++node) {
    const apart = Math.abs(film.points[node * 2]! - at[0]) + Math.abs(film.points[node * 2 + 1]! - at[1]);
    if (apart < 1e-6 && rank(node) < rank(best)) best = node;
  }
  let times = 0;
  for (let i = 0; i < Math.min(step, film.order.length); ++i) if (film.order[i] === best) ++times;
  const parent = film.parents[best]!;
  const first = film.expandedAt[best]!;
  return {
    at,
    g: film.g[best]!,
    h: film.h.length > best ? film.h[best] : undefined,
    parent: parent ? place(parent - 1) : undefined,
    order: first < step && film.order.length > 0 ? first + 1 : undefined,
    times,
    reached: film.reachedAt[best]! <= step,
  };
}

// Turns the answer of ExplainPath into what the map plays.
import type { ExplainPathResponse } from '../../gen/repath/v1/debug_pb';
import { lineOf } from '../feed/convert';
import type { Film } from '../raster/film_pixels';

export function filmOf(answer: ExplainPathResponse, unit: number, isGrid: boolean, start: [number, number], goals: [number, number][]): Film {
  const count = answer.g.length;
  const points = isGrid ? Float32Array.from(answer.cells, (value) => value + 0.5) : lineOf(answer.positions, unit);
  const order = Uint32Array.from(answer.expansions);
  const never = 0xffffffff;
  const expandedAt = new Uint32Array(count).fill(never);
  order.forEach((node, step) => {
    if (expandedAt[node] === never) expandedAt[node] = step;
  });
  // A search without an order (floyd_warshall) shows all of its nodes at once.
  if (order.length === 0) answer.closed.forEach((closed, node) => closed && (expandedAt[node] = 0));
  const reachedAt = Uint32Array.from({ length: count }, (_, node) => {
    const parent = answer.parents[node];
    if (!parent || order.length === 0) return 0;
    // A node's last parent may have been expanded after the node itself; it was reached earlier from another one.
    const after = expandedAt[parent - 1] === never ? 0 : expandedAt[parent - 1]! + 1;
    return Math.min(after, expandedAt[node]!);
  });
  return {
    grid: isGrid,
    points,
    parents: Uint32Array.from(answer.parents.length ? answer.parents : new Array<number>(count).fill(0)),
    order,
    reachedAt,
    expandedAt,
    g: Float32Array.from(answer.g),
    h: Float32Array.from(answer.h),
    path: lineOf(answer.result?.path?.positions ?? [], unit),
    start,
    goals,
  };
}

// Draws a search at one moment: the nodes it has expanded, those that wait in its queue, and its way so far.
import type { Pixels } from './canvas';
import { mix, type Palette } from './palette';
import { toPlane, type View } from './view';

export interface Film {
  grid: boolean; // Nodes are cells; else points.
  points: Float32Array; // x and y of each node, on grids of the cell's centre.
  parents: Uint32Array; // 1 + the index of the node before, or 0.
  order: Uint32Array; // Nodes as they were expanded.
  reachedAt: Uint32Array; // Step at which the parent of each node was expanded.
  expandedAt: Uint32Array; // Step of the first expansion of each node; a great number for nodes never expanded.
  g: Float32Array;
  h: Float32Array; // Estimates; empty if the search has none.
  path: Float32Array;
  start: [number, number];
  goals: [number, number][];
}

export function drawFilm(film: Film, step: number, view: View, out: Pixels, palette: Palette, hex: boolean): void {
  const half = film.grid ? Math.max(0.5, view.scale * 0.5) : Math.max(4, Math.min(7, view.scale * 0.3));
  const place = (x: number, y: number): [number, number] => {
    const [px, py] = toPlane(x, y, hex);
    return [(px - view.x) * view.scale + out.width / 2, (py - view.y) * view.scale + out.height / 2];
  };
  let farthest = 1e-9;
  for (const cost of film.g) if (Number.isFinite(cost)) farthest = Math.max(farthest, cost);
  for (let node = 0; node < film.parents.length; ++node) {
    if (film.reachedAt[node]! > step) continue;
    const [cx, cy] = place(film.points[node * 2]!, film.points[node * 2 + 1]!);
    if (cx < -half || cy < -half || cx > out.width + half || cy > out.height + half) continue;
    const closed = film.expandedAt[node]! < step;
    const colour = closed ? mix(palette.closedSet, palette.accent, Math.min(1, film.g[node]! / farthest)) : palette.openSet;
    if (film.grid && !hex) {
      // Both sides of a border between two cells are rounded alike, so no gap is left.
      const [left, top] = [film.points[node * 2]! - 0.5, film.points[node * 2 + 1]! - 0.5];
      const [x0, y0] = place(left, top);
      const [x1, y1] = place(left + 1, top + 1);
      out.rect(Math.round(x0), Math.round(y0), Math.max(Math.round(x0) + 1, Math.round(x1)), Math.max(Math.round(y0) + 1, Math.round(y1)), colour, 150);
    } else if (film.grid) {
      out.disc(cx - 0.5, cy - 0.5, Math.max(1, half * 0.8), colour, 170);
    } else {
      out.disc(cx - 0.5, cy - 0.5, half, colour, 220);
    }
  }
  drawWay(film, step, place, out, palette);
}

// The way to the node expanded last, or the answer's path at the end.
function drawWay(film: Film, step: number, place: (x: number, y: number) => [number, number], out: Pixels, palette: Palette): void {
  if (step >= film.order.length) {
    for (let i = 2; i < film.path.length; i += 2) {
      const [ax, ay] = place(film.path[i - 2]!, film.path[i - 1]!);
      const [bx, by] = place(film.path[i]!, film.path[i + 1]!);
      out.line(ax - 0.5, ay - 0.5, bx - 0.5, by - 0.5, palette.ink, 256, 3);
    }
  } else if (step > 0) {
    let node = film.order[step - 1]!;
    for (let guard = 0; film.parents[node] && guard < 100_000; ++guard) {
      const next = film.parents[node]! - 1;
      const [ax, ay] = place(film.points[node * 2]!, film.points[node * 2 + 1]!);
      const [bx, by] = place(film.points[next * 2]!, film.points[next * 2 + 1]!);
      out.line(ax - 0.5, ay - 0.5, bx - 0.5, by - 0.5, palette.ink, 220, 2);
      node = next;
    }
  }
  const radius = 6;
  for (const goal of film.goals) {
    const [x, y] = place(...goal);
    out.disc(x, y, radius + 1.5, palette.free);
    out.disc(x, y, radius, palette.goal);
    out.disc(x, y, radius * 0.45, palette.free);
  }
  const [x, y] = place(...film.start);
  out.disc(x, y, radius + 1.5, palette.free);
  out.disc(x, y, radius, palette.start);
}

// Draws the ground: cells of a grid as squares or hexagons, cells of a mesh, nodes and edges of a graph.
import type { GridGround } from './grid';
import { side } from './grid';
import type { Pixels } from './canvas';
import { colourOf, mix, type Palette } from './palette';
import type { Portal } from './portals';
import { hexRow, toWorld, type View } from './view';

// Cells appear as such from this many pixels a cell.
const gridFrom = 9;

export function drawSquares(ground: GridGround, view: View, out: Pixels): void {
  ground.settle();
  const [left, top] = toWorld(view, out, 0.5, 0.5);
  const step = 1 / view.scale;
  const level = Math.max(0, Math.min(6, Math.floor(Math.log2(Math.max(1, step)) + 0.5)));
  const squareOf = new Int32Array(out.width);
  const inSquare = new Int32Array(out.width);
  for (let px = 0; px < out.width; ++px) {
    const x = Math.floor(left + px * step);
    squareOf[px] = x >= 0 && x < ground.width ? x >> 6 : -1;
    inSquare[px] = (x & 63) >> level;
  }
  for (let py = 0; py < out.height; ++py) {
    const y = Math.floor(top + py * step);
    const from = py * out.width;
    if (y < 0 || y >= ground.height) {
      out.data.fill(ground.palette.outside, from, from + out.width);
      continue;
    }
    const row = (y >> 6) * ground.columns;
    const offset = ((y & 63) >> level) * (side >> level);
    let column = -2;
    let colours: Uint32Array | undefined;
    for (let px = 0; px < out.width; ++px) {
      if (squareOf[px] !== column) {
        column = squareOf[px]!;
        colours = column < 0 ? undefined : ground.coloursOf(row + column, level);
      }
      out.data[from + px] = colours ? colours[offset + inSquare[px]!]! : ground.palette.outside;
    }
  }
  if (view.scale >= gridFrom) drawLattice(ground, view, out);
}

function drawLattice(ground: GridGround, view: View, out: Pixels): void {
  const strength = Math.min(1, (view.scale - gridFrom) / 12 + 0.35);
  const alpha = Math.round(256 * strength);
  const [left, top] = toWorld(view, out, 0, 0);
  const [right, bottom] = toWorld(view, out, out.width, out.height);
  const at = (world: number, middle: number, size: number) => Math.round((world - middle) * view.scale + size / 2);
  const y0 = Math.max(0, at(0, view.y, out.height));
  const y1 = Math.min(out.height, at(ground.height, view.y, out.height));
  for (let x = Math.max(0, Math.ceil(left)); x <= Math.min(ground.width, right); ++x) {
    const px = at(x, view.x, out.width);
    for (let py = y0; py < y1; ++py) out.blend(px, py, ground.palette.grid, alpha);
  }
  const x0 = at(Math.max(0, left), view.x, out.width);
  const x1 = at(Math.min(ground.width, right), view.x, out.width);
  for (let y = Math.max(0, Math.ceil(top)); y <= Math.min(ground.height, bottom); ++y) {
    out.fillRow(at(y, view.y, out.height), x0, x1, ground.palette.grid, alpha);
  }
}

// Hexagons with a corner on top. A row of pixels crosses at most two rows of cells: between them the border goes up and
// down, half a cell to each side.
export function drawHexagons(ground: GridGround, view: View, out: Pixels): void {
  ground.settle();
  const step = 1 / view.scale;
  const [left, top] = toWorld(view, out, 0.5, 0.5);
  const level = step > 1.5 ? Math.min(6, Math.floor(Math.log2(step) + 0.5)) : 0;
  const edge = view.scale >= gridFrom ? 0.7 / view.scale : 0;
  for (let py = 0; py < out.height; ++py) {
    const v = (top + py * step) / hexRow;
    const row = Math.floor(v);
    const inRow = v - row - 0.5; // -0.5 to 0.5 about the middle of the row.
    const from = py * out.width;
    for (let px = 0; px < out.width; ++px) {
      const u = left + px * step;
      out.data[from + px] = hexPixel(ground, u, row, inRow, level, edge);
    }
  }
}

function hexPixel(ground: GridGround, u: number, row: number, inRow: number, level: number, edge: number): number {
  let y = row;
  let local = u - (row & 1 ? 0.5 : 0);
  let x = Math.floor(local);
  // Distance to the cell's slanted sides, in cells; below 0 the point belongs to the next row.
  let across = local - x - 0.5;
  let slant = 0.5 - Math.abs(across) * 0.5 - Math.abs(inRow) * 0.75;
  if (slant < 0) {
    y = inRow < 0 ? row - 1 : row + 1;
    local = u - (y & 1 ? 0.5 : 0);
    x = Math.floor(local);
    across = local - x - 0.5;
    slant = 0.5 - Math.abs(across) * 0.5 - (1 - Math.abs(inRow)) * 0.75;
  }
  if (x < 0 || y < 0 || x >= ground.width || y >= ground.height) return ground.palette.outside;
  const square = (y >> 6) * ground.columns + (x >> 6);
  const colour = ground.coloursOf(square, level)[((y & 63) >> level) * (side >> level) + ((x & 63) >> level)]!;
  const gap = Math.min(0.5 - Math.abs(across), slant);
  return edge > 0 && gap < edge ? mix(colour, ground.palette.grid, 0.8) : colour;
}

// The ground of a mesh: convex cells, `corners` x and y one after the other, cell by cell.
export interface MeshGround {
  counts: Uint32Array;
  corners: Float64Array;
  areas: Uint32Array;
  heights: Float32Array; // Mean height of each cell.
  cornerHeights: Float64Array; // Of each corner.
  factors: Float64Array;
  floors: Uint8Array; // Floor of each cell, from 0 on upwards.
  links: { ends: number[]; enabled: boolean; bothWays: boolean }[];
}

export interface GraphGround {
  nodes: Float64Array; // x and y of each.
  disabledNodes: Uint8Array;
  edges: Uint32Array; // Indices of the two ends of each.
  disabledEdges: Uint8Array;
}

function projected(view: View, out: Pixels, points: ArrayLike<number>, from: number, end: number, into: number[]): void {
  into.length = end - from;
  for (let i = from; i < end; i += 2) {
    into[i - from] = (points[i]! - view.x) * view.scale + out.width / 2;
    into[i - from + 1] = (points[i + 1]! - view.y) * view.scale + out.height / 2;
  }
}

// Draws one floor, or with -1 all of them.
export function drawMesh(mesh: MeshGround, view: View, out: Pixels, palette: Palette, theme: 'light' | 'dark', layer: string, floor: number): void {
  out.data.fill(palette.outside);
  const points: number[] = [];
  const span = heightSpan(mesh.heights);
  let from = 0;
  for (let cell = 0; cell < mesh.counts.length; ++cell) {
    const end = from + mesh.counts[cell]! * 2;
    const first = from;
    from = end;
    if (floor >= 0 && mesh.floors[cell] !== floor) continue;
    projected(view, out, mesh.corners, first, end, points);
    let colour = palette.free;
    const level = (mesh.heights[cell]! - span.low) / span.size;
    if (level > 0) colour = mix(colour, palette.accent, 0.16 * level);
    if (mesh.areas[cell]) colour = mix(colour, colourOf(mesh.areas[cell]!, theme), layer === 'terrain' ? 0.3 : 0.12);
    const factor = mesh.factors[cell] ?? 1;
    if (factor > 1) colour = mix(colour, palette.dear, Math.min(0.7, 0.2 + Math.log10(factor) * 0.4));
    if (layer === 'components') colour = mix(colour, colourOf(cell, theme), 0.35);
    out.polygon(points, 0, points.length, colour);
    for (let i = 0, j = points.length - 2; i < points.length; j = i, i += 2) {
      out.line(points[j]! - 0.5, points[j + 1]! - 0.5, points[i]! - 0.5, points[i + 1]! - 0.5, palette.wall, 70);
    }
  }
  for (const link of mesh.links) {
    projected(view, out, link.ends, 0, 4, points);
    dashed(out, points, link.enabled ? palette.accent : palette.wall);
    for (const i of [0, 2]) out.ring(points[i]! - 0.5, points[i + 1]! - 0.5, 3.5, link.enabled ? palette.accent : palette.wall);
  }
}

// Draws the portals of a floor, those that lead to another one too, or with -1 all of them.
export function drawPortals(mesh: MeshGround, portals: Portal[], view: View, out: Pixels, palette: Palette, floor: number): void {
  const points: number[] = [];
  for (const { cells, ends } of portals) {
    if (floor >= 0 && cells.every((cell) => mesh.floors[cell] !== floor)) continue;
    projected(view, out, ends, 0, 4, points);
    const [ax, ay, bx, by] = points.map((at) => at - 0.5) as [number, number, number, number];
    out.line(ax, ay, bx, by, palette.start, 256, 2);
    if (Math.hypot(bx - ax, by - ay) < 8) continue;
    out.disc(ax, ay, 2.5, palette.start);
    out.disc(bx, by, 2.5, palette.start);
  }
}

function heightSpan(heights: Float32Array): { low: number; size: number } {
  let [low, high] = [Infinity, -Infinity];
  for (const height of heights) [low, high] = [Math.min(low, height), Math.max(high, height)];
  return { low, size: high - low > 1e-6 ? high - low : Infinity };
}

function dashed(out: Pixels, points: number[], colour: number): void {
  const [ax, ay, bx, by] = points as [number, number, number, number];
  const dashes = Math.max(1, Math.round(Math.hypot(bx - ax, by - ay) / 8));
  for (let i = 0; i < Math.min(dashes, 400); ++i) {
    const [s, t] = [i / dashes, (i + 0.55) / dashes];
    out.line(ax + (bx - ax) * s, ay + (by - ay) * s, ax + (bx - ax) * t, ay + (by - ay) * t, colour, 256, 2);
  }
}

export function drawGraph(graph: GraphGround, view: View, out: Pixels, palette: Palette): void {
  out.data.fill(palette.free);
  const at = (node: number): [number, number] => [
    (graph.nodes[node * 2]! - view.x) * view.scale + out.width / 2 - 0.5,
    (graph.nodes[node * 2 + 1]! - view.y) * view.scale + out.height / 2 - 0.5,
  ];
  for (let edge = 0; edge < graph.disabledEdges.length; ++edge) {
    const [ax, ay] = at(graph.edges[edge * 2]!);
    const [bx, by] = at(graph.edges[edge * 2 + 1]!);
    if (graph.disabledEdges[edge]) dashed(out, [ax, ay, bx, by], palette.goal);
    else out.line(ax, ay, bx, by, palette.wall, 190, view.scale > 2 ? 2 : 1);
  }
  const radius = Math.max(1, Math.min(5, Math.sqrt(view.scale) * 1.6));
  for (let node = 0; node < graph.disabledNodes.length; ++node) {
    const [x, y] = at(node);
    if (x < -9 || y < -9 || x > out.width + 9 || y > out.height + 9) continue;
    out.disc(x, y, radius + 1, palette.free);
    if (graph.disabledNodes[node]) out.ring(x, y, radius, palette.goal);
    else out.disc(x, y, radius, palette.wall);
  }
}

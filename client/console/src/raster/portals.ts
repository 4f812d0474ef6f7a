// The portals of a mesh: parts of edges that two cells share, so that walkers go from one cell to the other.
//
// Cells that obstacles cut need not share whole edges. Two edges have a portal if they lie on one line in opposite
// directions and overlap at one height. Edges are looked up by the squares that they pass, so that only edges near each
// other are compared.
import type { MeshGround } from './ground_pixels';

export interface Portal {
  cells: [number, number]; // The lower number first.
  ends: [number, number, number, number]; // x and y of both ends.
}

const apartMost = 2e-3; // World units that the two edges may lie apart: the ground is kept in fractions of millimetres.
const heightMost = 0.05; // World units of height that two cells may differ where they meet.
const lengthLeast = 1e-2; // World units.

type Point = [number, number, number]; // x, y, height.

interface Edge {
  cell: number;
  a: Point;
  b: Point;
  length: number;
}

function edgesOf({ counts, corners, cornerHeights }: MeshGround): Edge[] {
  const edges: Edge[] = [];
  const at = (corner: number): Point => [corners[corner * 2]!, corners[corner * 2 + 1]!, cornerHeights[corner]!];
  let first = 0;
  counts.forEach((count, cell) => {
    for (let i = 0; i < count; ++i) {
      const [a, b] = [at(first + i), at(first + ((i + 1) % count))];
      edges.push({ cell, a, b, length: Math.hypot(b[0] - a[0], b[1] - a[1]) });
    }
    first += count;
  });
  return edges.filter(({ length }) => length >= lengthLeast);
}

// Calls visit(column, row) for every square that the edge comes near to.
function eachSquare({ a, b }: Edge, side: number, visit: (column: number, row: number) => void): void {
  const near = apartMost;
  const square = (at: number) => Math.floor(at / side);
  const heightAt = (x: number) => a[1] + ((x - a[0]) / (b[0] - a[0])) * (b[1] - a[1]);
  const [low, high] = [Math.min(a[0], b[0]), Math.max(a[0], b[0])];
  for (let column = square(low - near); column <= square(high + near); ++column) {
    let ys = [a[1], b[1]];
    if (high - low > near) {
      const within = (x: number) => Math.max(low, Math.min(high, x));
      ys = [heightAt(within(column * side - near)), heightAt(within((column + 1) * side + near))];
    }
    for (let row = square(Math.min(...ys) - near); row <= square(Math.max(...ys) + near); ++row) visit(column, row);
  }
}

// Returns the part of the first edge that lies on the second; undefined if there is none.
function shared(e: Edge, f: Edge): Portal['ends'] | undefined {
  if (e.cell === f.cell) return undefined;
  const [ux, uy] = [(e.b[0] - e.a[0]) / e.length, (e.b[1] - e.a[1]) / e.length];
  const along = (p: Point) => (p[0] - e.a[0]) * ux + (p[1] - e.a[1]) * uy;
  const [from, to] = [along(f.b), along(f.a)];
  const [begin, end] = [Math.max(0, from), Math.min(e.length, to)];
  if (!(end - begin >= lengthLeast)) return undefined;
  const on = ([a, b]: [Point, Point], t: number) => a.map((value, i) => value + (b[i]! - value) * t) as Point;
  for (const at of [begin, end]) {
    const p = on([e.a, e.b], at / e.length);
    const q = on([f.b, f.a], (at - from) / (to - from));
    if (Math.hypot(p[0] - q[0], p[1] - q[1]) > apartMost || Math.abs(p[2] - q[2]) > heightMost) return undefined;
  }
  return [e.a[0] + ux * begin, e.a[1] + uy * begin, e.a[0] + ux * end, e.a[1] + uy * end];
}

export function portalsOf(mesh: MeshGround): Portal[] {
  const edges = edgesOf(mesh);
  const side = Math.max(0.1, edges.reduce((sum, { length }) => sum + length, 0) / Math.max(1, edges.length));
  const squares = new Map<string, number[]>();
  const portals: Portal[] = [];
  edges.forEach((edge, number) => {
    const compared = new Set<number>();
    eachSquare(edge, side, (column, row) => {
      const name = `${column} ${row}`;
      const there = squares.get(name);
      if (!there) return void squares.set(name, [number]);
      for (const other of there) {
        if (other === number || compared.has(other)) continue;
        compared.add(other);
        const ends = shared(edges[other]!, edge);
        if (ends) portals.push({ cells: [edges[other]!.cell, edge.cell].sort((a, b) => a - b) as [number, number], ends });
      }
      there.push(number);
    });
  });
  return portals;
}

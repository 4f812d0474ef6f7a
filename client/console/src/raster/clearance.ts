// How much room there is around each cell of a grid, as the server measures it (Profile.radius).
//
// Source: a distance transform in two passes, rows before columns, as in Felzenszwalb and Huttenlocher, Distance Transforms of Sampled
// Functions (2012). The distance is that to a square instead of a point, and the second pass ends at rows that are
// farther away than the least distance found.
import { hexRow } from './view';

export const radiusMost = 32; // Of a profile on a grid, in cells.

// Returns for each cell the distance from its centre to the square of the nearest blocked cell or to the outside, in cells, at most
// `radiusMost`. 0 where the cell itself is blocked.
export function clearance(width: number, height: number, isFree: (x: number, y: number) => boolean): Float32Array {
  const across = new Uint8Array(width * height);
  for (let y = 0; y < height; ++y) measureRow(across.subarray(y * width, (y + 1) * width), (x) => isFree(x, y));
  const room = new Float32Array(width * height);
  for (let y = 0; y < height; ++y) {
    const edge = Math.min(y + 1, height - y); // Rows to the outside.
    for (let x = 0; x < width; ++x) {
      let least = Math.min(gap(edge), radiusMost * radiusMost);
      for (let far = 0; far < edge && gap(far) < least; ++far) {
        const nearest = Math.min(across[(y - far) * width + x]!, across[(y + far) * width + x]!);
        least = Math.min(least, gap(far) + gap(nearest));
      }
      room[y * width + x] = Math.sqrt(least);
    }
  }
  return room;
}

// The square of the distance from a cell's centre to a square that is so many rows or columns away.
function gap(cells: number): number {
  const distance = Math.max(0, cells - 0.5);
  return distance * distance;
}

// Sets how many columns away the nearest blocked cell of the row is, or the outside.
function measureRow(row: Uint8Array, isFree: (x: number) => boolean): void {
  const sweep = (x: number, before: number) => (isFree(x) ? Math.min(radiusMost + 1, before + 1) : 0);
  for (let x = 0, before = 0; x < row.length; ++x) before = row[x] = sweep(x, before);
  for (let x = row.length - 1, before = 0; x >= 0; --x) before = row[x] = Math.min(row[x]!, sweep(x, before));
}

// The distance from the origin to the hexagon of width 1 around a point, pointing up; by its symmetry in one quadrant.
function toHexagon(x: number, y: number): number {
  const corner = 0.5 / Math.sqrt(3); // Above the middle of a side.
  const [px, py] = [Math.abs(x), Math.abs(y)];
  return Math.min(toSegment(px, py, 0.5, -corner, 0.5, corner), toSegment(px, py, 0.5, corner, 0, 2 * corner));
}

function toSegment(px: number, py: number, ax: number, ay: number, bx: number, by: number): number {
  const [dx, dy] = [bx - ax, by - ay];
  const t = Math.max(0, Math.min(1, ((px - ax) * dx + (py - ay) * dy) / (dx * dx + dy * dy)));
  return Math.hypot(ax + t * dx - px, ay + t * dy - py);
}

const rowsMost = Math.ceil((radiusMost + 1) / hexRow);
// Distances of hexagons by rows apart, then by half columns apart.
const hexagons = Array.from({ length: rowsMost + 1 }, (_, dy) =>
  Float64Array.from({ length: 2 * radiusMost + 6 }, (_unused, half) => (dy + half === 0 ? 0 : toHexagon(half / 2, dy * hexRow))),
);

// As clearance(), on hexagons whose centres are a cell apart. In each row the nearest blocked cell on either side counts.
export function hexClearance(width: number, height: number, isFree: (x: number, y: number) => boolean): Float32Array {
  const far = radiusMost + 2;
  const left = new Uint8Array(width * height).fill(far); // Columns to the nearest cell to the left that is blocked, this one included.
  const right = new Uint8Array(width * height).fill(far);
  for (let y = 0; y < height; ++y) {
    for (let x = 0, before = 0; x < width; ++x) before = left[y * width + x] = isFree(x, y) ? Math.min(far, before + 1) : 0;
    for (let x = width - 1, before = 0; x >= 0; --x) before = right[y * width + x] = isFree(x, y) ? Math.min(far, before + 1) : 0;
  }
  const room = new Float32Array(width * height);
  for (let y = 0; y < height; ++y) {
    for (let x = 0; x < width; ++x) {
      let least: number = radiusMost;
      for (let rows = 0; rows <= rowsMost && (rows === 0 || rows * hexRow - 0.6 < least); ++rows) {
        for (const row of rows === 0 ? [y] : [y - rows, y + rows]) least = Math.min(least, nearestInRow(x, row, rows, left, right, width, height, (y & 1) as 0 | 1));
      }
      room[y * width + x] = least;
    }
  }
  return room;
}

function nearestInRow(x: number, row: number, rows: number, left: Uint8Array, right: Uint8Array, width: number, height: number, odd: 0 | 1): number {
  const distances = hexagons[rows]!;
  // Half columns by which the cells of that row are to the right of those of this one.
  const shift = rows & 1 ? 1 - 2 * odd : 0;
  if (row < 0 || row >= height) return Math.min(distances[Math.abs(shift)]!, distances[rows & 1]!);
  const of = (columns: number) => distances[Math.min(distances.length - 1, Math.abs(2 * columns + shift))]!;
  return Math.min(of(-left[row * width + x]!), of(right[row * width + x]!));
}

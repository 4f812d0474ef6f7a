// How much room there is around each cell of a square grid, as the server measures it (Profile.radius).
//
// Source: a distance transform in two passes, rows before columns, as in Felzenszwalb and Huttenlocher, Distance Transforms of Sampled
// Functions (2012). The distance is that to a square instead of a point, and the second pass looks as far as it can matter.

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

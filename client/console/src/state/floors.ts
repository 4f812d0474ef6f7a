// Floors of a mesh, and how high its ground is at a place. Heights are in world units.
import type { MeshGround } from '../raster/ground_pixels';

// The lowest and the highest corner of a floor.
export interface Floor {
  low: number;
  high: number;
}

export function floorsOf({ counts, floors, cornerHeights }: MeshGround): Floor[] {
  const found: Floor[] = [];
  let corner = 0;
  counts.forEach((count, cell) => {
    const floor = (found[floors[cell]!] ??= { low: Infinity, high: -Infinity });
    for (let i = 0; i < count; ++i, ++corner) {
      floor.low = Math.min(floor.low, cornerHeights[corner]!);
      floor.high = Math.max(floor.high, cornerHeights[corner]!);
    }
  });
  return found;
}

// The floor that is nearest to a height; -1 if there is none.
export function floorAt(floors: Floor[], height: number): number {
  let best = -1;
  let least = Infinity;
  floors.forEach(({ low, high }, floor) => {
    const off = Math.max(low - height, height - high, 0);
    if (off < least) [least, best] = [off, floor];
  });
  return best;
}

// The height of the ground at a place on one floor; with -1 on the highest floor that has ground there. Nothing: no ground.
export function heightAt(mesh: MeshGround, x: number, y: number, floor: number): number | undefined {
  let highest: number | undefined;
  let first = 0;
  mesh.counts.forEach((count, cell) => {
    if (floor < 0 || mesh.floors[cell] === floor) {
      const height = heightIn(mesh, first, count, x, y);
      if (height !== undefined && (highest === undefined || height > highest)) highest = height;
    }
    first += count;
  });
  return highest;
}

// In the cell with `count` corners from `first` on: that of the triangle in which the place lies.
function heightIn({ corners, cornerHeights }: MeshGround, first: number, count: number, x: number, y: number): number | undefined {
  const [ax, ay] = [corners[first * 2]!, corners[first * 2 + 1]!];
  for (let i = first + 1; i + 1 < first + count; ++i) {
    const [bx, by] = [corners[i * 2]! - ax, corners[i * 2 + 1]! - ay];
    const [cx, cy] = [corners[i * 2 + 2]! - ax, corners[i * 2 + 3]! - ay];
    const area = bx * cy - by * cx;
    if (area === 0) continue;
    const b = ((x - ax) * cy - (y - ay) * cx) / area;
    const c = (bx * (y - ay) - by * (x - ax)) / area;
    if (b < -1e-9 || c < -1e-9 || b + c > 1 + 1e-9) continue;
    const [ha, hb, hc] = [cornerHeights[first]!, cornerHeights[i]!, cornerHeights[i + 1]!];
    return ha + b * (hb - ha) + c * (hc - ha);
  }
  return undefined;
}

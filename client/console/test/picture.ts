// Pixels as text, so that a test shows what it expects.
import { GridGround, type GridObstacle } from '../src/raster/grid';
import type { Pixels } from '../src/raster/canvas';
import { paletteOf, type Palette } from '../src/raster/palette';

export const palette: Palette = paletteOf('light');

const letters: [keyof Palette, string][] = [
  ['outside', ' '],
  ['free', '.'],
  ['wall', '#'],
  ['blocked', 'X'],
  ['body', 'B'],
];

// One letter for each pixel; `?` for a colour that is none of the plain ones.
export function picture(pixels: Pixels): string[] {
  const of = new Map(letters.map(([name, letter]) => [palette[name] >>> 0, letter]));
  return Array.from({ length: pixels.height }, (_, y) =>
    Array.from(pixels.data.subarray(y * pixels.width, (y + 1) * pixels.width), (pixel) => of.get(pixel >>> 0) ?? '?').join(''),
  );
}

// A grid from rows of `.` and `#`.
export function gridOf(...rows: string[]): GridGround {
  const looks = [
    { factor: 1, forbidden: false },
    { factor: 1, forbidden: true },
  ];
  const grid = new GridGround(rows[0]!.length, rows.length, looks, palette, 'light');
  for (let row = 0; row * 64 < rows.length; ++row) {
    for (let column = 0; column * 64 < rows[0]!.length; ++column) {
      const terrain = new Uint8Array(64 * 64);
      for (let i = 0; i < terrain.length; ++i) terrain[i] = rows[row * 64 + (i >> 6)]?.[column * 64 + (i & 63)] === '#' ? 1 : 0;
      grid.setTerrain(column, row, terrain);
    }
  }
  return grid;
}

export function obstacle(id: string, shape: GridObstacle['shape'], change: Partial<GridObstacle> = {}): GridObstacle {
  return { id, shape, effect: 'blocked', factor: 1, disabled: false, ...change };
}

// A sequence of numbers below 1 that is the same each time.
export function dice(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 2 ** 32;
  };
}

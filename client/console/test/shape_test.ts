import assert from 'node:assert/strict';
import { test } from 'node:test';
import { boundsOf, coverRow, holds, moved, outlineOf, type Shape } from '../src/raster/shape';
import { dice } from './picture';

const side = 16;

function covered(shape: Shape): string[] {
  return Array.from({ length: side }, (_, y) => {
    const row = new Array<string>(side).fill('.');
    coverRow(shape, y, (first, end) => row.fill('X', Math.max(0, first), Math.max(0, Math.min(side, end))));
    return row.join('');
  });
}

// The plain model: a cell is covered if a point of a fine raster over it, without its border, lies in the shape.
function sampled(shape: Shape): boolean[][] {
  const n = 16;
  return Array.from({ length: side }, (_, y) =>
    Array.from({ length: side }, (_unused, x) => {
      for (let i = 1; i < n; ++i) for (let j = 1; j < n; ++j) if (holds(shape, x + i / n, y + j / n)) return true;
      return false;
    }),
  );
}

function randomShape(roll: () => number): Shape {
  const at = () => 2 + roll() * 12;
  switch (Math.floor(roll() * 4)) {
    case 0:
      return { kind: 'disc', x: at(), y: at(), radius: 0.3 + roll() * 4 };
    case 1:
      return { kind: 'box', x: at(), y: at(), halfX: 0.3 + roll() * 4, halfY: 0.3 + roll() * 4, yaw: roll() * 6 };
    case 2:
      return { kind: 'capsule', x0: at(), y0: at(), x1: at(), y1: at(), radius: 0.2 + roll() };
    default: {
      const [x, y] = [at(), at()];
      const points = Array.from({ length: 7 }, (_, i) => {
        const [angle, r] = [(i / 7) * 2 * Math.PI, 1 + roll() * 5];
        return [x + r * Math.cos(angle), y + r * Math.sin(angle)];
      });
      return { kind: 'polygon', points: points.flat() };
    }
  }
}

test('a shape covers each cell in which a point of it lies, and no cell beyond its bounds', () => {
  const roll = dice(11);
  let cells = 0;
  for (let i = 0; i < 60; ++i) {
    const shape = randomShape(roll);
    const rows = covered(shape);
    const model = sampled(shape);
    let more = 0;
    for (let y = 0; y < side; ++y) {
      for (let x = 0; x < side; ++x) {
        const is = rows[y]![x] === 'X';
        if (model[y]![x]) assert.ok(is, `${JSON.stringify(shape)} misses ${x}, ${y}`);
        if (is && !model[y]![x]) ++more;
        cells += Number(is);
      }
    }
    // A shape may touch a cell by less than the model's raster sees, but rarely.
    assert.ok(more <= 8, `${JSON.stringify(shape)} covers ${more} cells more`);
  }
  assert.ok(cells > 500);
});

test('a box along the edges of cells covers exactly the cells inside', () => {
  const rows = covered({ kind: 'box', x: 3, y: 2, halfX: 2, halfY: 1, yaw: 0 });
  assert.deepEqual(rows.slice(0, 4), ['................', '.XXXX...........', '.XXXX...........', '................']);
});

test('a slanted wall has no holes', () => {
  const rows = covered({ kind: 'capsule', x0: 1.5, y0: 1.5, x1: 12.5, y1: 9.5, radius: 0.05 });
  for (let x = 2; x < 12; ++x) assert.ok(rows.some((row) => row[x] === 'X'));
});

test('moved and outlined: the shape keeps its size', () => {
  const roll = dice(2);
  for (let i = 0; i < 40; ++i) {
    const shape = randomShape(roll);
    const [a, b] = [boundsOf(shape), boundsOf(moved(shape, 3, -2))];
    assert.ok(Math.abs(b.x0 - a.x0 - 3) < 1e-9 && Math.abs(b.y1 - a.y1 + 2) < 1e-9);
    const line = outlineOf(shape);
    for (let k = 0; k < line.length; k += 2) assert.ok(line[k]! >= a.x0 - 1e-9 && line[k]! <= a.x1 + 1e-9);
  }
});

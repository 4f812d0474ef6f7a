import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Pixels } from '../src/raster/canvas';
import { clearance, radiusMost } from '../src/raster/clearance';
import { components } from '../src/raster/grid';
import { drawHexagons, drawMesh, drawSquares } from '../src/raster/ground_pixels';
import { mix } from '../src/raster/palette';
import { Scene } from '../src/raster/scene';
import { dice, gridOf, obstacle, palette, picture } from './picture';

test('a grid is drawn cell by cell, and what lies around it', () => {
  const grid = gridOf('..#', '.#.');
  const out = new Pixels(10, 8);
  drawSquares(grid, { x: 1.5, y: 1, scale: 2 }, out);
  assert.deepEqual(picture(out), [
    '          ',
    '          ',
    '  ....##  ',
    '  ....##  ',
    '  ..##..  ',
    '  ..##..  ',
    '          ',
    '          ',
  ]);
});

test('obstacles lie on the cells: shut, open, removed, replaced', () => {
  const grid = gridOf('....', '....');
  const rows = () => {
    const out = new Pixels(4, 2);
    drawSquares(grid, { x: 2, y: 1, scale: 1 }, out);
    return picture(out);
  };
  grid.put(obstacle('1', { kind: 'rect', x0: 1, y0: 0, x1: 3, y1: 1 }));
  assert.deepEqual(rows(), ['.XX.', '....']);
  grid.put(obstacle('1', { kind: 'rect', x0: 0, y0: 1, x1: 2, y1: 2 }));
  assert.deepEqual(rows(), ['....', 'XX..']);
  grid.put(obstacle('body 9', { kind: 'rect', x0: 3, y0: 0, x1: 4, y1: 1 }));
  assert.deepEqual(rows(), ['...B', 'XX..']);
  grid.put(obstacle('1', { kind: 'rect', x0: 0, y0: 1, x1: 2, y1: 2 }, { disabled: true }));
  assert.deepEqual(rows(), ['...B', '??..']);
  assert.equal(grid.isFree(0, 1), true);
  grid.remove('1');
  grid.remove('body 9');
  assert.deepEqual(rows(), ['....', '....']);
});

test('two obstacles on a cell: it stays blocked until both are gone', () => {
  const grid = gridOf('..');
  const cell = { kind: 'rect', x0: 0, y0: 0, x1: 1, y1: 1 } as const;
  grid.put(obstacle('1', cell));
  grid.put(obstacle('2', cell));
  grid.remove('1');
  grid.settle();
  assert.equal(grid.isFree(0, 0), false);
  grid.remove('2');
  grid.settle();
  assert.equal(grid.isFree(0, 0), true);
});

test('a wall one cell thick is seen when a pixel spans several cells', () => {
  const rows = Array.from({ length: 128 }, (_, y) => (y === 31 ? '#' : '.').repeat(128));
  const out = new Pixels(32, 32);
  drawSquares(gridOf(...rows), { x: 64, y: 64, scale: 0.25 }, out);
  const red = (pixel: number) => pixel & 255;
  for (let y = 0; y < 32; ++y) {
    const want = y === 7 ? mix(palette.free, palette.wall, 0.25) : palette.free;
    assert.ok(Math.abs(red(out.data[y * 32 + 5]!) - red(want)) <= 2, `row ${y}`);
  }
});

test('hexagons: odd rows are half a cell to the right', () => {
  const out = new Pixels(14, 8);
  drawHexagons(gridOf('#.#', '#.#'), { x: 1.75, y: 0.866, scale: 4 }, out);
  assert.deepEqual(picture(out), [
    ' ##  ..  ##   ',
    '####....####  ',
    '####....####  ',
    '####....####  ',
    '  ####....####',
    '  ####....####',
    '  ####....####',
    '   ##  ..  ## ',
  ]);
});

test('cells of a mesh are filled, and nothing beside them', () => {
  const mesh = {
    counts: Uint32Array.of(4),
    corners: Float64Array.of(0, 0, 4, 0, 4, 2, 0, 2),
    areas: Uint32Array.of(0),
    heights: Float32Array.of(0),
    cornerHeights: new Float64Array(4),
    factors: Float64Array.of(1),
    floors: Uint8Array.of(0),
    links: [],
  };
  const out = new Pixels(16, 12);
  drawMesh(mesh, { x: 2, y: 1, scale: 2 }, out, palette, 'light', 'terrain', -1);
  const rows = picture(out);
  assert.equal(rows[0], ' '.repeat(16));
  assert.equal(rows[5]!.slice(5, 11), '......');
  assert.equal(rows[5]!.slice(0, 3), '   ');
  drawMesh(mesh, { x: 2, y: 1, scale: 2 }, out, palette, 'light', 'terrain', 1);
  assert.equal(picture(out).join('').trim(), '');
});

test('components: joined by sides, not by corners; the largest is number 1', () => {
  const rows = ['..#.', '.#..', '#...'];
  const labels = components(4, 3, (x, y) => rows[y]![x] === '.');
  assert.deepEqual([...labels], [2, 2, 0, 1, 2, 0, 1, 1, 0, 1, 1, 1]);
});

test('random lines and discs stay within the canvas and change only what they cover', () => {
  const roll = dice(3);
  const out = new Pixels(40, 30);
  const at = () => roll() * 160 - 60;
  for (let i = 0; i < 3000; ++i) {
    out.line(at(), at(), at(), at(), 0xff0000ff, 256, 1 + (i % 3));
    out.disc(at(), at(), roll() * 9, 0xff00ff00);
    out.ring(at(), at(), roll() * 9, 0xffff0000);
  }
  assert.equal(out.data.length, 1200);
  const clean = new Pixels(40, 30);
  clean.line(-50, 5, -10, 25, 0xff0000ff);
  clean.line(3, -20, 60, -1.6, 0xff0000ff);
  clean.disc(60, 10, 9, 0xff0000ff);
  assert.ok(clean.data.every((pixel) => pixel === 0));
});

test('a line that leaves the canvas covers what it would on a larger one', () => {
  const small = new Pixels(20, 20);
  const large = new Pixels(120, 120);
  const roll = dice(5);
  for (let i = 0; i < 200; ++i) {
    const [ax, ay] = [Math.floor(roll() * 20), Math.floor(roll() * 20)];
    const far = Math.floor(roll() * 40);
    for (const [dx, dy] of [
      [far, 0],
      [0, far],
      [far, far],
      [-far, far],
    ] as const) {
      small.line(ax, ay, ax + dx, ay + dy, 0xff0000ff);
      large.line(ax + 50, ay + 50, ax + dx + 50, ay + dy + 50, 0xff0000ff);
    }
  }
  for (let y = 0; y < 20; ++y) {
    for (let x = 0; x < 20; ++x) assert.equal(small.data[y * 20 + x], large.data[(y + 50) * 120 + x + 50], `${x}, ${y}`);
  }
});

test('blending: nothing, half, all', () => {
  const out = new Pixels(3, 1, Uint32Array.of(0xff000000, 0xff000000, 0xff000000));
  out.blend(0, 0, 0xffffffff, 0);
  out.blend(1, 0, 0xffffffff, 128);
  out.blend(2, 0, 0xffffffff, 256);
  assert.deepEqual([...out.data], [0xff000000, 0xff7f7f7f, 0xffffffff]);
});

test('an agent glides to where it was reported, and paths follow a change', () => {
  const scene = new Scene();
  scene.grid = gridOf('........');
  scene.before = Float32Array.of(1, 0.5);
  scene.at = Float32Array.of(3, 0.5);
  scene.states = Uint8Array.of(1);
  scene.waiting = Uint8Array.of(0);
  scene.movedAt = 0;
  scene.moveMs = 100;
  assert.deepEqual(scene.positionOf(0, 50), [2, 0.5]);
  assert.deepEqual(scene.positionOf(0, 900), [3, 0.5]);
  const view = { x: 4, y: 0.5, scale: 8 };
  const draw = () => {
    const out = new Pixels(64, 8);
    scene.draw(view, out, 900);
    return [...out.data];
  };
  const before = draw();
  scene.paths[0] = Float32Array.of(3, 0.5, 7.5, 0.5);
  ++scene.version;
  const after = draw();
  assert.notDeepEqual(after.slice(4 * 64 + 50, 4 * 64 + 56), before.slice(4 * 64 + 50, 4 * 64 + 56));
  assert.deepEqual(after.slice(0, 30), before.slice(0, 30));
});

test('the room around a cell is the distance to the nearest blocked square or the outside', () => {
  const roll = dice(7);
  for (let round = 0; round < 30; ++round) {
    const [width, height] = [1 + Math.floor(40 * roll()), 1 + Math.floor(40 * roll())];
    const wall = Array.from({ length: width * height }, () => roll() < 0.08);
    const blocked = (x: number, y: number) => x < 0 || y < 0 || x >= width || y >= height || wall[y * width + x]!;
    const room = clearance(width, height, (x, y) => !blocked(x, y));
    for (let y = 0; y < height; ++y) {
      for (let x = 0; x < width; ++x) {
        let least = blocked(x, y) ? 0 : radiusMost;
        for (let v = -1; v <= height; ++v) {
          for (let u = -1; u <= width; ++u) {
            if (blocked(u, v)) least = Math.min(least, Math.hypot(Math.max(0, Math.abs(u - x) - 0.5), Math.max(0, Math.abs(v - y) - 0.5)));
          }
        }
        assert.ok(Math.abs(room[y * width + x]! - least) < 1e-5, `${x}, ${y} of ${width} x ${height}: ${room[y * width + x]} is not ${least}`);
      }
    }
  }
});

test('clearance: a walker that fits, one that does not, and again after a wall has gone', () => {
  const grid = gridOf('.....', '..#..', '.....');
  const dark = (radius: number) => {
    grid.show('clearance', radius);
    const out = new Pixels(5, 3);
    drawSquares(grid, { x: 2.5, y: 1.5, scale: 1 }, out);
    return Array.from({ length: 5 }, (_, x) => out.data[5 + x] === mix(palette.free, palette.blocked, 0.75));
  };
  assert.deepEqual(dark(0.5), [false, false, false, false, false]);
  assert.deepEqual(dark(1), [true, true, false, true, true]);
  grid.setTerrain(0, 0, new Uint8Array([0]));
  assert.deepEqual(dark(1), [true, false, false, false, true]);
  assert.deepEqual(dark(1.6), [true, true, true, true, true]);
});

// Tests of what is drawn over the ground: places for towers, portals of meshes.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Pixels } from '../src/raster/canvas';
import { drawPortals, type MeshGround } from '../src/raster/ground_pixels';
import { hexOf, mix, rgb } from '../src/raster/palette';
import { colourOfPlacement, drawPlacements, placement } from '../src/raster/placement_pixels';
import { portalsOf, type Portal } from '../src/raster/portals';
import { Scene } from '../src/raster/scene';
import { dice, gridOf, palette } from './picture';

const { free, ground, agent, cutsOff, unknown } = placement;

// Letters of the answers that the pixels show: of each cell all colours count.
function seen(out: Pixels, scale: number): string[] {
  const rows: string[] = [];
  for (let y = 0; y < out.height / scale; ++y) {
    let row = '';
    for (let x = 0; x < out.width / scale; ++x) {
      const colours = new Set<number>();
      for (let i = 0; i < scale * scale; ++i) colours.add(out.data[(y * scale + Math.floor(i / scale)) * out.width + x * scale + (i % scale)]!);
      row += letterOf(colours);
    }
    rows.push(row);
  }
  return rows;
}

function letterOf(colours: Set<number>): string {
  const near = (a: number, b: number) => [0, 8, 16].every((shift) => Math.abs(((a >> shift) & 255) - ((b >> shift) & 255)) <= 2);
  const has = (answer: number, share: number) => [...colours].some((colour) => near(colour, mix(palette.free, colourOfPlacement(answer, palette), share)));
  if (has(free, 50 / 256)) return 'f';
  if (has(agent, 190 / 256) && has(agent, 70 / 256)) return 'a';
  if (has(cutsOff, 190 / 256) && has(cutsOff, 70 / 256)) return 'x';
  if (has(unknown, 150 / 256)) return '?';
  return colours.size === 1 ? '.' : '!';
}

test('each answer has its colour and its pattern, on its own cell', () => {
  const out = new Pixels(48, 24);
  out.data.fill(palette.free);
  const answers = Uint8Array.of(free, agent, cutsOff, unknown);
  drawPlacements({ x0: 1, y0: 0, width: 2, height: 2, answers }, { x: 2, y: 1, scale: 12 }, out, palette, false);
  assert.deepEqual(seen(out, 12), ['.fa.', '.x?.']);
  const blank = new Pixels(12, 12);
  blank.data.fill(palette.free);
  drawPlacements({ x0: 0, y0: 0, width: 1, height: 1, answers: Uint8Array.of(ground) }, { x: 0.5, y: 0.5, scale: 12 }, blank, palette, false);
  assert.ok(blank.data.every((pixel) => pixel === palette.free));
});

test('on hexagons odd rows are half a cell to the right', () => {
  const out = new Pixels(36, 21);
  out.data.fill(palette.free);
  drawPlacements({ x0: 0, y0: 0, width: 1, height: 2, answers: Uint8Array.of(free, free) }, { x: 1.5, y: 0.875, scale: 12 }, out, palette, true);
  const tinted = (px: number, py: number) => out.data[py * out.width + px] !== palette.free;
  assert.ok(tinted(1, 6) && tinted(10, 6) && !tinted(13, 6));
  assert.ok(!tinted(4, 15) && tinted(7, 15) && tinted(16, 15) && !tinted(19, 15));
});

test('a scene draws the places until they are taken away', () => {
  const scene = new Scene();
  scene.grid = gridOf('..');
  const draw = () => {
    const out = new Pixels(16, 8);
    scene.draw({ x: 1, y: 0.5, scale: 8 }, out, 0);
    return out.data;
  };
  const before = draw();
  scene.placements = { x0: 1, y0: 0, width: 1, height: 1, answers: Uint8Array.of(free) };
  ++scene.version;
  const after = draw();
  assert.equal(after[3], before[3]);
  assert.notEqual(after[12], before[12]);
  scene.placements = undefined;
  ++scene.version;
  assert.deepEqual(draw(), before);
});

test('a colour is written as style sheets have it', () => assert.equal(hexOf(rgb('#0172b2')), '#0172b2'));

// A mesh of cells with corners x, y, height.
function meshOf(...cells: [number, number, number][][]): MeshGround {
  return {
    counts: Uint32Array.from(cells, (cell) => cell.length),
    corners: Float64Array.from(cells.flat().flatMap(([x, y]) => [x, y])),
    cornerHeights: Float64Array.from(cells.flat().map(([, , height]) => height)),
    areas: new Uint32Array(cells.length),
    heights: Float32Array.from(cells, (cell) => cell.reduce((sum, [, , height]) => sum + height / cell.length, 0)),
    factors: new Float64Array(cells.length).fill(1),
    floors: Uint8Array.from(cells, (_, i) => i),
    links: [],
  };
}

function square(x: number, y: number, side: number, height = 0): [number, number, number][] {
  return [
    [x, y, height],
    [x + side, y, height],
    [x + side, y + side, height],
    [x, y + side, height],
  ];
}

function told(portals: Portal[]): string[] {
  return portals
    .map(({ cells, ends: [ax, ay, bx, by] }) => `${cells.join('-')}: ${[[ax, ay].join(), [bx, by].join()].sort().join(' ')}`)
    .sort();
}

test('two cells have a portal where their edges overlap, whole or in part', () => {
  assert.deepEqual(told(portalsOf(meshOf(square(0, 0, 4), square(4, 0, 4)))), ['0-1: 4,0 4,4']);
  assert.deepEqual(told(portalsOf(meshOf(square(0, 0, 4), square(4, 1, 2), square(4, 3, 2)))), ['0-1: 4,1 4,3', '0-2: 4,3 4,4', '1-2: 4,3 6,3']);
});

test('cells that touch at a corner, or lie one above the other, have none', () => {
  assert.deepEqual(portalsOf(meshOf(square(0, 0, 4), square(4, 4, 4))), []);
  assert.deepEqual(portalsOf(meshOf(square(0, 0, 4), square(4, 0, 4, 3))), []);
  assert.deepEqual(portalsOf(meshOf(square(0, 0, 4), square(0, 0, 4, 3))), []);
  assert.deepEqual(portalsOf(meshOf(square(0, 0, 4), square(4.01, 0, 4))), []);
});

test('a ramp has a portal to each of the floors that it joins', () => {
  const ramp: [number, number, number][] = [
    [4, 0, 0],
    [8, 0, 3],
    [8, 4, 3],
    [4, 4, 0],
  ];
  assert.deepEqual(told(portalsOf(meshOf(square(0, 0, 4), ramp, square(8, 0, 4, 3)))), ['0-1: 4,0 4,4', '1-2: 8,0 8,4']);
});

test('random cuts of a square: every inner edge is covered by portals, and the rim by none', () => {
  const roll = dice(11);
  for (let round = 0; round < 40; ++round) {
    // Columns of different widths, each cut into pieces of its own.
    const xs = [0, ...Array.from({ length: 5 }, () => Math.round(roll() * 800) / 16), 50].sort((a, b) => a - b);
    const cells: [number, number, number][][] = [];
    let inner = 0;
    xs.slice(1).forEach((right, i) => {
      const left = xs[i]!;
      if (right - left < 0.1) return;
      if (left > 0) inner += 20;
      const ys = [0, ...Array.from({ length: 4 }, () => Math.round(roll() * 320) / 16), 20].sort((a, b) => a - b).filter((y, k, all) => k === 0 || y - all[k - 1]! > 0.1);
      if (ys.at(-1) !== 20) ys[ys.length - 1] = 20;
      inner += (ys.length - 2) * (right - left);
      ys.slice(1).forEach((low, k) => cells.push([[left, ys[k]!, 0], [right, ys[k]!, 0], [right, low, 0], [left, low, 0]]));
    });
    let covered = 0;
    for (const { ends } of portalsOf(meshOf(...cells))) covered += Math.hypot(ends[2] - ends[0], ends[3] - ends[1]);
    if (xs.slice(1).every((right, i) => right === xs[i] || right - xs[i]! >= 0.1)) assert.ok(Math.abs(covered - inner) < 0.5, `${covered} is not ${inner}`);
  }
});

test('portals of a floor alone are drawn, those to other floors too', () => {
  const mesh = meshOf(square(0, 0, 4), square(4, 0, 4), square(8, 0, 4));
  const view = { x: 6, y: 2, scale: 4 };
  const drawn = (floor: number) => {
    const out = new Pixels(48, 16);
    drawPortals(mesh, portalsOf(mesh), view, out, palette, floor);
    return [16, 32].map((px) => out.data[8 * 48 + px] !== 0);
  };
  assert.deepEqual(drawn(-1), [true, true]);
  assert.deepEqual(drawn(0), [true, false]);
  assert.deepEqual(drawn(2), [false, true]);
});

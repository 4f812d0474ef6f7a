// Tests of the tests' own judge, because a wrong plain search would let a wrong server pass.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Grid } from './grid.mjs';

const grid = Grid.drawn([
  '.....', //
  '.##..',
  '.....',
]);

test('Straight steps cost 1, diagonals the square root of two', () => {
  assert.equal(grid.cost({ x: 0, y: 0 }, { x: 4, y: 0 }), 4);
  assert.ok(Math.abs(grid.cost({ x: 3, y: 0 }, { x: 4, y: 2 }) - (1 + Math.SQRT2)) < 1e-12);
});

test('No corner is cut', () => {
  assert.equal(grid.may_step(2, 0, 1, 1), false);
  assert.equal(grid.may_step(3, 0, 1, 1), true);
  assert.equal(grid.cost({ x: 2, y: 0 }, { x: 2, y: 2 }), 4);
});

test('A blocked cell is reached by nobody until all that blocks it is gone', () => {
  const door = { x0: 3, y0: 0, x1: 5, y1: 1 };
  const changing = grid.copy();
  changing.shut(door);
  changing.shut(door);
  changing.open(door);
  assert.equal(changing.cost({ x: 0, y: 0 }, { x: 4, y: 0 }), Infinity);
  changing.open(door);
  assert.equal(changing.cost({ x: 0, y: 0 }, { x: 4, y: 0 }), 4);
});

test('A path through a wall, a detour and a wrong cost are each refused', () => {
  const [from, to] = [
    { x: 1, y: 0 },
    { x: 1, y: 2 },
  ];
  grid.check_cheapest({ cells: [1, 0, 0, 0, 0, 2, 1, 2], cost: 4 }, from, to);
  for (const path of [
    { cells: [1, 0, 1, 2], cost: 4 },
    { cells: [1, 0, 0, 1, 1, 2], cost: 2 * Math.SQRT2 },
    { cells: [1, 0, 3, 0, 3, 2, 1, 2], cost: 6 },
    { cells: [1, 0, 0, 0, 0, 2, 1, 2], cost: 3.9 },
    { cells: [0, 0, 0, 2, 1, 2], cost: 3 },
    { cells: [], cost: 4 },
  ]) {
    assert.throws(() => grid.check_cheapest(path, from, to), assert.AssertionError);
  }
});

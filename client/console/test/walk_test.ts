// Agents that the page walks.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { walkOn, type Walking } from '../src/state/walk';
import { dice } from './picture';

test('an agent walks its path to the end, past waypoints and on a slope', () => {
  const walker: Walking = { path: Float32Array.of(0, 0, 3, 0, 3, 4), rise: Float32Array.of(0, 0, 8), leg: 1, at: [0, 0], height: 0 };
  assert.equal(walkOn(walker, 5), true);
  assert.deepEqual([walker.at, walker.height, walker.leg], [[3, 2], 4, 2]);
  assert.equal(walkOn(walker, 9), true);
  assert.deepEqual([walker.at, walker.height], [[3, 4], 8]);
  assert.equal(walkOn(walker, 1), false);
});

// A step once went on for ever with what rounding had left of its distance; without an end of each step this test has none.
test('each step ends, whatever its length', () => {
  const roll = dice(17);
  for (let i = 0; i < 200_000; ++i) {
    const walker: Walking = { path: Float32Array.of(0, 0, 50 * roll() + 1, 50 * roll()), rise: undefined, leg: 1, at: [0, 0], height: 0 };
    const distance = roll();
    walkOn(walker, distance);
    assert.ok(Math.abs(Math.hypot(...walker.at) - distance) < 1e-9);
  }
});

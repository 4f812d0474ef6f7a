// Tests of heights: two floors, one above the other, and a ramp.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { create } from '@bufbuild/protobuf';
import { GetGroundResponseSchema } from '../gen/repath/v1/debug_pb';
import { meshOf } from '../src/feed/ground';
import { floorAt, floorsOf, heightAt } from '../src/state/floors';

const square = (x: number, height: number) => [x, height, 0, x + 4, height, 0, x + 4, height, 4, x, height, 4];
const mesh = meshOf([
  create(GetGroundResponseSchema, {
    cornerCounts: [4, 4, 4],
    // At 0 and at 5 one above the other, and beside them a ramp from 0 to 1.
    corners: [...square(0, 0), ...square(0, 5), 4, 0, 0, 8, 1, 0, 8, 1, 4, 4, 0, 4],
  }),
]);

test('a click is on the floor that is chosen, or on the highest', () => {
  assert.deepEqual([heightAt(mesh, 1, 1, -1), heightAt(mesh, 1, 1, 0), heightAt(mesh, 1, 1, 1)], [5, 0, 5]);
  assert.equal(heightAt(mesh, 6, 3, -1), 0.5);
  assert.equal(heightAt(mesh, 6, 3, 1), undefined);
  assert.equal(heightAt(mesh, 20, 3, -1), undefined);
});

test('an agent is on the floor that is nearest to it', () => {
  const floors = floorsOf(mesh);
  assert.deepEqual(floors, [
    { low: 0, high: 1 },
    { low: 5, high: 5 },
  ]);
  assert.deepEqual([-1, 0.4, 2.9, 3.1, 5, 9].map((height) => floorAt(floors, height)), [0, 0, 0, 1, 1, 1]);
});

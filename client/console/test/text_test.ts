// Tests of numbers as people read them.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { count } from '../src/ui/text';

test('a count is exact up to the greatest number of a message', () => {
  assert.equal(count(2n ** 64n - 1n), '18,446,744,073,709,551,615');
  assert.equal(count(1234.4), '1,234');
  assert.equal(count(0), '0');
});

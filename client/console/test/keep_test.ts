// Tests of what the page keeps and makes up: addresses, homes, ids.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { freeId, freshRequestId } from '../src/edit/draft';
import { parse } from '../src/state/address';
import { Homes } from '../src/state/homes';
import { keep, recall } from '../src/wire/storage';

test('an address that the page would not write is read as it is', () => {
  assert.equal(parse('#/world/%').world, '%');
  assert.equal(parse('#/world/%E0%A4%A').world, '%E0%A4%A');
  assert.equal(parse('#/world/a%20b').world, 'a b');
});

test('without storage of the browser the page keeps things itself', () => {
  assert.equal(recall('repath-nothing'), '');
  keep('repath-something', 'x');
  keep('repath-other', 'y', 'browser');
  assert.deepEqual([recall('repath-something'), recall('repath-other', 'browser')], ['x', 'y']);
});

test('homes are kept for one world, and not for another one of its name', () => {
  new Homes('a').save('epoch-1', [
    [7n, [1.234, 5, 0]],
    [8n, [2, 3, 4]],
  ]);
  const again = new Homes('a');
  assert.deepEqual(again.of('epoch-1', 7n), [1.23, 5, 0]);
  assert.equal(again.of('epoch-1', 9n), undefined);
  assert.equal(again.of('epoch-2', 7n), undefined);
  assert.equal(new Homes('b').of('epoch-1', 7n), undefined);
});

test('a free id is a number that a message can hold, also beside the greatest one', () => {
  const above = Array.from({ length: 20 }, () => freeId([1n, 7n]));
  assert.ok(above.every((id) => id > 7n && id <= 1_000_007n));
  assert.ok(new Set(above).size > 15, 'two pages choose differently');
  assert.equal(freeId([2n ** 64n - 1n]), 1n);
  assert.equal(freeId([2n ** 64n - 1n, 1n, 2n, 4n]), 3n);
});

test('ids of requests differ, and fit into 128 bytes', () => {
  const ids = Array.from({ length: 100 }, freshRequestId);
  assert.equal(new Set(ids).size, 100);
  assert.ok(ids.every((id) => /^[0-9a-f]{32}$/.test(id)));
});

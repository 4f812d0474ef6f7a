// Forks of a world: equal to it at a revision, and apart from it afterwards. And backups, which a
// server without a data folder refuses.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { refused } from './decode.mjs';
import { start_server } from './server.mjs';
import { apply } from './worlds.mjs';

let server;
let api;
before(async () => {
  server = await start_server();
  api = server.api;
});
after(() => server.stop());

const block = (x) => ({
  upsert_obstacles: [{ id: x + 1, cells: { x0: x, y0: 0, x1: x + 1, y1: 1 }, blocked: true }],
});

test('A fork equals its source at the revision asked for, and then goes its own way', async () => {
  await api.world.CreateWorld({ name: 'source', width: 6, height: 2 });
  for (const x of [0, 1, 2]) await apply(api, 'source', block(x));
  const { changes } = await api.world.ReadChanges({ world: 'source', start_revision: 2 });
  for (const { revision, state_hash, applied_at_us } of changes) {
    const fork = await api.world.ForkWorld({ source: 'source', name: `at-${revision}`, revision });
    assert.deepEqual([fork.revision, fork.state_hash], [revision, state_hash]);
    assert.ok(Number(applied_at_us) > 1.7e15, applied_at_us);
  }
  const now = await api.world.ForkWorld({ source: 'source', name: 'now' });
  assert.equal(now.state_hash, changes[2].state_hash);
  await apply(api, 'now', block(4));
  const source = await api.world.GetWorld({ world: 'source' });
  assert.equal(source.state_hash, changes[2].state_hash);
  assert.notEqual(source.epoch, now.epoch);
});

test('A fork names what is wrong with its request', async () => {
  await api.world.CreateWorld({ name: 'plain', width: 4, height: 4 });
  const fork = (more) => api.world.ForkWorld({ source: 'plain', name: 'new', ...more });
  await refused(fork({ source: 'nothing' }), { status: 'NOT_FOUND', field: 'source' });
  await refused(fork({ revision: 2 }), {
    status: 'OUT_OF_RANGE',
    reason: 'REVISION_NOT_YET',
    field: 'revision',
  });
  await refused(fork({ name: 'plain' }), { status: 'ALREADY_EXISTS', field: 'name' });
  await refused(fork({ name: '' }), { status: 'INVALID_ARGUMENT', field: 'name' });
});

test('Without a data folder there is nothing to back up', async () => {
  await refused(api.admin.Backup({ name: 'one' }), {
    status: 'FAILED_PRECONDITION',
    reason: 'NOT_DURABLE',
  });
  for (const name of ['', '..', '.hidden', 'a/b', 'a'.repeat(65)]) {
    await refused(api.admin.Backup({ name }), { status: 'INVALID_ARGUMENT', field: 'name' });
  }
});

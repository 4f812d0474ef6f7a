// Watching from outside: the changes of a world, and the verdicts of its agents, from a revision
// on.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { check_fault, refused } from './decode.mjs';
import { start_server } from './server.mjs';
import {
  agent,
  apply,
  broken_and_replanned,
  import_rows,
  lower_door,
  shut,
  switched,
  two_rooms,
  upper_door,
} from './worlds.mjs';

let server;
before(async () => (server = await start_server()));
after(() => server.stop());

const goal = { x: 14, y: 3 };

async function get(world) {
  return await server.api.world.GetWorld({ world });
}

// Reads until `revision` has been sent. Returns the changes.
async function changes_until(watch, revision) {
  const changes = [];
  for (;;) {
    const message = await watch.next();
    changes.push(...message.changes);
    if (Number(message.revision) >= Number(revision)) return changes;
  }
}

test('WatchWorld tells every change from the revision asked for, then those to come', async () => {
  const world = 'changes';
  await import_rows(server.api, world, two_rooms);
  const answers = [
    await apply(server.api, world, shut(upper_door)),
    await apply(server.api, world, shut(lower_door)),
  ];
  const watch = server.api.world.WatchWorld({ world, start_revision: 2 });
  const kept = await changes_until(watch, 3);
  answers.push(
    await server.api.world.ApplyChanges({
      world,
      batch: {
        ...switched(upper_door, false),
        terrain_edits: [{ cells: { x0: 1, y0: 1, x1: 3, y1: 3 }, terrain_class: 'swamp' }],
      },
      game_tick: '77',
    }),
  );
  const changes = [...kept, ...(await changes_until(watch, 4))];
  assert.deepEqual(
    changes.map(({ revision, state_hash }) => ({ revision, state_hash })),
    answers.map(({ revision, state_hash }) => ({ revision, state_hash })),
  );
  assert.deepEqual(changes[0].batch.upsert_obstacles[0].cells, upper_door.cells);
  assert.deepEqual(changes[2].batch.switch_obstacles, [{ id: upper_door.id, enabled: false }]);
  assert.equal(changes[2].batch.terrain_edits[0].terrain_class, 'swamp');
  assert.equal(changes[2].game_tick, '77');
  assert.equal(changes[2].state_hash, (await get(world)).state_hash);
  watch.cancel();
});

test('WatchWorld from revision 0 leaves out what is past', async () => {
  const world = 'next';
  await import_rows(server.api, world, two_rooms);
  await apply(server.api, world, shut(upper_door));
  const watch = server.api.world.WatchWorld({ world });
  await watch.next(); // The notice that everything up to now has been sent.
  await apply(server.api, world, shut(lower_door));
  const changes = await changes_until(watch, 3);
  assert.deepEqual(
    changes.map(({ revision }) => revision),
    ['3'],
  );
  watch.cancel();
});

test('A watch can be taken up again where it broke off, in the same epoch', async () => {
  const world = 'resumed';
  await import_rows(server.api, world, two_rooms);
  await apply(server.api, world, shut(upper_door));
  const first = server.api.world.WatchWorld({ world, start_revision: 2 });
  const { epoch, revision } = await first.next();
  first.cancel();
  await apply(server.api, world, shut(lower_door));
  const second = server.api.world.WatchWorld({
    world,
    start_revision: Number(revision) + 1,
    epoch,
  });
  const changes = await changes_until(second, 3);
  assert.deepEqual(
    changes.map((change) => change.revision),
    ['3'],
  );
  second.cancel();
  const other = server.api.world.WatchWorld({ world, start_revision: 2, epoch: `${epoch}x` });
  check_fault(await other.end_fault(), { status: 'FAILED_PRECONDITION', reason: 'EPOCH_CHANGED' });
});

test('Below the kept history OUT_OF_RANGE names the oldest revision', async () => {
  const world = 'short';
  await import_rows(server.api, world, two_rooms, { history_revisions: 4 });
  await apply(server.api, world, shut(upper_door));
  for (let i = 0; i < 9; ++i) await apply(server.api, world, switched(upper_door, i % 2 === 1));
  const { revision, oldest_revision } = await get(world);
  assert.equal(revision, '11');
  assert.equal(oldest_revision, '8', 'four batches are kept');
  const expected = { status: 'OUT_OF_RANGE', field: 'start_revision' };
  const watch = server.api.world.WatchWorld({ world, start_revision: 7 });
  const fault = await watch.end_fault();
  check_fault(fault, expected);
  assert.equal(fault.metadata.oldest_revision, oldest_revision);
  const read = await refused(server.api.world.ReadChanges({ world, start_revision: 7 }), expected);
  assert.equal(read.metadata.oldest_revision, oldest_revision);
  const { changes } = await server.api.world.ReadChanges({
    world,
    start_revision: oldest_revision,
  });
  assert.deepEqual(
    changes.map((change) => change.revision),
    ['8', '9', '10', '11'],
  );
});

test('ReadChanges gives pages, and nothing past the newest', async () => {
  const world = 'pages';
  await import_rows(server.api, world, two_rooms);
  await apply(server.api, world, shut(upper_door));
  for (let i = 0; i < 6; ++i) await apply(server.api, world, switched(upper_door, i % 2 === 1));
  const seen = [];
  for (let start = 2; ;) {
    const page = await server.api.world.ReadChanges({ world, start_revision: start, page_size: 3 });
    assert.equal(page.revision, '8');
    if (page.changes.length === 0) break;
    assert.ok(page.changes.length <= 3);
    seen.push(...page.changes.map(({ revision }) => Number(revision)));
    start = seen[seen.length - 1] + 1;
  }
  assert.deepEqual(seen, [2, 3, 4, 5, 6, 7, 8]);
  await refused(server.api.world.ReadChanges({ world, start_revision: 10 }), {
    status: 'OUT_OF_RANGE',
    field: 'start_revision',
  });
});

test('A deleted world ends its watches with NOT_FOUND', async () => {
  const world = 'deleted';
  await import_rows(server.api, world, two_rooms);
  const watches = [
    server.api.world.WatchWorld({ world, start_revision: 2 }),
    server.api.agent.WatchPaths({ world }),
  ];
  await Promise.all(watches.map((watch) => watch.next()));
  await server.api.world.DeleteWorld({ world });
  for (const watch of watches) {
    check_fault(await watch.end_fault(), { status: 'NOT_FOUND', reason: 'WORLD_UNKNOWN' });
  }
});

// Reads until all agents are settled at `revision`. Returns the events.
async function events_until_settled(watch, revision) {
  const events = [];
  for (;;) {
    const batch = await watch.next();
    events.push(...batch.events);
    if (Number(batch.settled_revision) >= Number(revision)) return events;
  }
}

async function watched_world(world) {
  const grid = await import_rows(server.api, world, two_rooms);
  const agents = [
    agent('1', { x: 2, y: 3 }, goal),
    agent('2', { x: 2, y: 7 }, { x: 14, y: 7 }),
    agent('3', { x: 3, y: 3 }, goal),
  ];
  await server.api.agent.UpsertAgents({ world, agents });
  return grid;
}

test('WatchPaths starts with the latest verdict of each agent', async () => {
  const world = 'verdicts';
  const grid = await watched_world(world);
  await events_until_settled(server.api.agent.WatchPaths({ world }), 1);
  const watch = server.api.agent.WatchPaths({ world });
  const first = await events_until_settled(watch, 1);
  assert.deepEqual(first.map(({ agent_id }) => agent_id).sort(), ['1', '2', '3']);
  for (const event of first) assert.equal(event.type, 'EVENT_TYPE_NEW_PATH');
  const { revision } = await apply(server.api, world, shut(upper_door));
  grid.shut(upper_door.cells);
  const events = await events_until_settled(watch, revision);
  assert.deepEqual(new Set(events.map(({ agent_id }) => agent_id)), new Set(['1', '3']));
  for (const id of ['1', '3']) {
    const [, replanned] = broken_and_replanned(events.filter(({ agent_id }) => agent_id === id));
    grid.check_cheapest(replanned.path, replanned.cell, goal);
  }
  watch.cancel();
});

test('WatchPaths leaves out agents not asked for and verdicts known already', async () => {
  const world = 'chosen';
  await watched_world(world);
  const of_two = server.api.agent.WatchPaths({ world, agent_ids: ['2'] });
  const verdicts = await events_until_settled(of_two, 1);
  assert.deepEqual(new Set(verdicts.map(({ agent_id }) => agent_id)), new Set(['2']));
  await events_until_settled(server.api.agent.WatchPaths({ world }), 1);
  const later = server.api.agent.WatchPaths({ world, start_revision: 1 });
  assert.deepEqual(await events_until_settled(later, 1), [], 'what is known already is left out');
  const { revision } = await apply(server.api, world, shut(upper_door));
  assert.deepEqual(await events_until_settled(of_two, revision), []);
  const events = await events_until_settled(later, revision);
  assert.deepEqual(new Set(events.map(({ agent_id }) => agent_id)), new Set(['1', '3']));
  const { epoch } = await get(world);
  const other = server.api.agent.WatchPaths({ world, epoch: `${epoch}x` });
  check_fault(await other.end_fault(), { status: 'FAILED_PRECONDITION', reason: 'EPOCH_CHANGED' });
  of_two.cancel();
  later.cancel();
});

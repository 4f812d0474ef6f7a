// A reader that does not acknowledge holds up only its own stream; then it gets the latest verdict
// of each agent.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { start_server } from './server.mjs';
import { Session } from './session.mjs';
import { agent, apply, import_rows, shut, switched, two_rooms, upper_door } from './worlds.mjs';

let server;
before(async () => (server = await start_server()));
after(() => server.stop());

const goal = { x: 14, y: 3 };
const agents = [agent('1', { x: 2, y: 3 }, goal), agent('2', { x: 3, y: 3 }, goal)];
const silence_ms = 250;

// A lockstep world whose session has read `ack_window` batches and acknowledged none.
async function stalled(world, ack_window) {
  const grid = await import_rows(server.api, world, two_rooms, { lockstep: true });
  const open = { world, session_id: world, ack_window };
  const session = await Session.open(server.api, open, { acknowledges: false });
  const tick = () => server.api.agent.Tick({ world, session_id: world });
  session.send({ upsert: { agents } });
  const window = ack_window === 0 ? 3 : ack_window;
  await apply(server.api, world, shut(upper_door));
  for (let i = 0; session.last_batch < window; ++i) {
    const { last_batch_number } = await tick();
    await session.until(({ last_batch }) => last_batch >= Number(last_batch_number));
    await apply(server.api, world, switched(upper_door, i % 2 === 1));
  }
  return { grid, session, tick, window };
}

for (const ack_window of [1, 2, 0, 16]) {
  test(`Without acknowledgements a stream of window ${ack_window || 3} stops there`, async () => {
    const world = `window-${ack_window}`;
    const { session, tick, window } = await stalled(world, ack_window);
    assert.equal(session.last_batch, window);
    for (let i = 0; i < 6; ++i) {
      await apply(server.api, world, switched(upper_door, i % 2 === 0));
      assert.equal(Number((await tick()).last_batch_number), window, 'no batch past the window');
    }
    assert.ok(await session.stream.silent(silence_ms), 'nothing comes unasked');
    session.stream.cancel();
  });
}

test('An acknowledgement brings only the latest verdict of each agent', async () => {
  const world = 'latest';
  const { grid, session, tick, window } = await stalled(world, 2);
  for (let i = 0; i < 10; ++i) {
    await apply(server.api, world, switched(upper_door, i % 2 === 0));
    await tick();
  }
  const { revision } = await apply(server.api, world, switched(upper_door, true));
  grid.shut(upper_door.cells);
  while ((await tick()).backlog !== '0');

  const seen = session.events.length;
  session.acknowledge(window);
  await session.until(({ read }) => read.settled_revision >= Number(revision));
  const fresh = session.events.slice(seen);
  assert.deepEqual(
    fresh.map(({ agent_id }) => agent_id).sort(),
    ['1', '2'],
    'one verdict for each agent',
  );
  assert.ok(session.read.coalesced > 0, 'the stream counts what it dropped');
  for (const event of fresh) {
    assert.ok(event.coalesced > 0, 'the event counts what it replaces');
    grid.check_cheapest(event.path, agents[event.agent_id - 1].position.cell, goal);
  }
  session.stream.cancel();
});

test('A stalled stream holds up no other stream', async () => {
  const world = 'others';
  const { session } = await stalled(world, 1);
  const second = await Session.open(server.api, { world, session_id: 'second' });
  second.send({ upsert: { agents: [agent('3', { x: 2, y: 7 }, { x: 14, y: 7 })] } });
  while (!second.latest.has('3')) {
    const answer = await server.api.agent.Tick({ world, session_id: 'second' });
    await second.until(({ last_batch }) => last_batch >= Number(answer.last_batch_number));
  }
  assert.equal(second.latest.get('3').type, 'EVENT_TYPE_NEW_PATH');
  session.stream.cancel();
  second.stream.cancel();
});

test('An idle stream with acknowledgements falls silent', async () => {
  const world = 'idle';
  await import_rows(server.api, world, two_rooms);
  const session = await Session.open(server.api, { world });
  session.send({ upsert: { agents } });
  await session.settled(1);
  let batches = 0;
  while (!(await session.stream.silent(silence_ms))) {
    await session.batch();
    assert.ok(++batches < 10, 'acknowledging a batch does not call for another');
  }
  session.stream.cancel();
});

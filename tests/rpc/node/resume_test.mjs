// The content of a stream that resumes, or that a slow reader held up: the agent's present state,
// and nothing about a question that was replaced.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { start_server } from './server.mjs';
import { Session } from './session.mjs';
import { agent, apply, import_rows, shut, two_rooms, upper_door, lower_door } from './worlds.mjs';

let server;
before(async () => (server = await start_server()));
after(() => server.stop());

const goal = { x: 14, y: 3 };
const place = { x: 2, y: 3 };

// Makes a lockstep world and its session, with agent 1 on its way from `place` to `to`.
async function begun(world, { to = goal, ack_window = 0, acknowledges = true } = {}) {
  const grid = await import_rows(server.api, world, two_rooms, { lockstep: true });
  const open = { world, session_id: world, ack_window };
  const session = await Session.open(server.api, open, { acknowledges });
  const tick = () => server.api.agent.Tick({ world, session_id: world });
  session.send({ upsert: { agents: [agent('1', place, to, { goal_generation: 1 })] } });
  await listed(world, () => true);
  return { grid, session, tick };
}

// Returns agent 1 as the server lists it, once `done` holds for it. No planning happens until then.
async function listed(world, done) {
  for (;;) {
    const { agents } = await server.api.agent.ListAgents({ world, with_paths: true });
    if (agents.length === 1 && done(agents[0])) return agents[0];
    await sleep(5);
  }
}

const goes_to = ({ x, y }) => ({ agent: { goals } }) => {
  const { position } = goals[0];
  return Math.floor(position.x) === x && Math.floor(position.z) === y;
};
const stands_at = ({ x, y }) => ({ cell }) => cell.x === x && cell.y === y;

async function resumed(world, session) {
  session.stream.cancel();
  const again = await Session.open(server.api, { world, session_id: world });
  assert.equal(again.opened.resumed, true);
  return again;
}

test('After a resume no verdict on a replaced goal is sent', async () => {
  const world = 'replaced';
  const { session, tick } = await begun(world);
  await apply(server.api, world, shut(upper_door));
  await apply(server.api, world, shut(lower_door));
  await tick();
  await session.until(({ latest }) => latest.get('1')?.type === 'EVENT_TYPE_UNREACHABLE');
  const near = agent('1', place, { x: 6, y: 7 }, { goal_generation: 2 });
  session.send({ upsert: { agents: [near] } });
  await listed(world, goes_to({ x: 6, y: 7 }));
  const again = await resumed(world, session);
  await server.api.agent.Tick({ world, session_id: world });
  await again.settled(3);
  assert.deepEqual(
    again.events.map(({ type, goal_generation }) => [type, goal_generation]),
    [['EVENT_TYPE_NEW_PATH', '2']],
  );
  again.stream.cancel();
});

test('A batch that takes a new goal into account carries no path to the old one', async () => {
  const world = 'held-up';
  const { session, tick } = await begun(world, { ack_window: 1, acknowledges: false });
  await session.batch(); // The opening notice; it is not acknowledged.
  await tick();
  const sequence = session.send({
    upsert: { agents: [agent('1', place, { x: 2, y: 7 }, { goal_generation: 2 })] },
  });
  session.acknowledge(1);
  let batch = await session.batch();
  assert.ok(Number(batch.applied_sequence) >= sequence);
  while (batch.events.length === 0) {
    session.acknowledge(batch.batch_number);
    await tick();
    batch = await session.batch();
  }
  assert.deepEqual(
    batch.events.map((event) => event.goal_generation),
    ['2'],
  );
  assert.deepEqual(batch.events[0].path.cells.slice(-2), [2, 7]);
  session.stream.cancel();
});

test('An agent astray is not sent the path that it has left', async () => {
  const world = 'astray';
  const { session, tick } = await begun(world);
  await tick();
  await session.settled(1);
  session.send({ report: { positions: [{ id: '1', position: { cell: { x: 2, y: 8 } } }] } });
  const state = await listed(world, stands_at({ x: 2, y: 8 }));
  assert.equal(state.verdict, null, 'no verdict counts for it');
  const again = await resumed(world, session);
  await server.api.agent.Tick({ world, session_id: world });
  await again.settled(1);
  assert.equal(again.events.length, 1);
  assert.ok(again.events[0].path.cells.length > 0);
  assert.deepEqual(again.events[0].cell, { x: 2, y: 8 });
  again.stream.cancel();
});

test('A waypoint that breaks after a resume counts in the path that was sent again', async () => {
  const world = 'waypoint';
  const { session, tick } = await begun(world, { to: { x: 14, y: 7 } });
  await tick();
  await session.settled(1);
  const whole = session.latest.get('1').path.cells;
  assert.ok(whole.length >= 6, 'it turns');
  const bend = { x: whole[2], y: whole[3] };
  session.send({ report: { positions: [{ id: '1', position: { cell: bend }, path_version: 1 }] } });
  await listed(world, stands_at(bend));
  const again = await resumed(world, session);
  await again.until(({ latest }) => latest.has('1'));
  const rest = again.latest.get('1').path.cells;
  assert.ok(rest.length < whole.length);
  const end = { x: rest.at(-2), y: rest.at(-1) };
  const cells = { x0: end.x, y0: end.y, x1: end.x + 1, y1: end.y + 1 };
  await apply(server.api, world, shut({ id: '3', cells }));
  await again.until(({ latest }) => latest.get('1').type === 'EVENT_TYPE_INVALIDATED');
  assert.equal(again.latest.get('1').first_invalid_waypoint, rest.length / 2 - 1);
  again.stream.cancel();
});

test('Messages that no batch acknowledged are sent again, and those that were are not', async () => {
  const world = 'again';
  const { session } = await begun(world);
  assert.equal(session.opened.incarnation, '0', 'the world lives in memory alone');
  assert.equal(session.unsafe.length, 1);
  session.stream.cancel();
  const again = await session.again(server.api, { world });
  assert.equal(again.opened.resumed, true);
  assert.equal(again.unsafe.length, 1);
  await server.api.agent.Tick({ world, session_id: world, after_sequence: again.last_action });
  await again.until(({ read }) => read.applied_sequence >= again.last_action);
  await again.until(({ latest }) => latest.has('1'));
  assert.equal(again.latest.get('1').type, 'EVENT_TYPE_NEW_PATH');
  assert.equal(again.latest.get('1').goal_generation, '1');
  assert.equal(again.unsafe.length, 0);
  again.stream.cancel();
});

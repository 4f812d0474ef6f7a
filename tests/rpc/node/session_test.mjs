// The product as a game server uses it: a session, its agents, a door, and a connection that
// breaks.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { connect } from './api.mjs';
import { check_fault, refused } from './decode.mjs';
import { start_server } from './server.mjs';
import { Session } from './session.mjs';
import { open_wire } from './wire.mjs';
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
const starts = { 11: { x: 2, y: 3 }, 12: { x: 2, y: 2 }, 13: { x: 2, y: 7 } };
const agents = [
  agent('11', starts[11], goal),
  agent('12', starts[12], goal),
  // Takes the lower door, so the upper one does not matter.
  agent('13', starts[13], { x: 14, y: 7 }),
];

function events_of(batches, id) {
  return batches.flatMap(({ events }) => events).filter((event) => event.agent_id === id);
}

async function settled_world(name) {
  const grid = await import_rows(server.api, name, two_rooms);
  const session = await Session.open(server.api, { world: name, session_id: `${name}.session` });
  session.send({ upsert: { agents } });
  await session.settled(1);
  return { grid, session };
}

test('A new agent gets its cheapest path', async () => {
  const { grid, session } = await settled_world('new');
  assert.deepEqual(
    {
      resumed: session.opened.resumed,
      revision: session.opened.revision,
      agents: session.opened.agents,
    },
    { resumed: false, revision: '1', agents: '0' },
  );
  for (const { id, position, goals } of agents) {
    const event = session.latest.get(id);
    assert.equal(event.type, 'EVENT_TYPE_NEW_PATH');
    assert.equal(event.reason, 'EVENT_REASON_NEW_AGENT');
    assert.equal(event.path.optimality, 'OPTIMALITY_OPTIMAL');
    assert.equal(event.path_version, event.path.path_version);
    assert.deepEqual(event.cell, position.cell);
    grid.check_cheapest(event.path, position.cell, goals[0].cell);
  }
  session.stream.cancel();
});

test('A shut door is INVALIDATED and REPLANNED for some, silence for the others', async () => {
  const { grid, session } = await settled_world('door');
  const held = new Map(session.latest);
  const { revision, invalidated_agents } = await apply(server.api, 'door', shut(upper_door));
  assert.equal(revision, '2');
  assert.equal(invalidated_agents, '2');
  const batches = await session.settled(revision);
  grid.shut(upper_door.cells);
  for (const id of ['11', '12']) {
    const [first, last] = broken_and_replanned(events_of(batches, id));
    assert.equal(last.revision, revision);
    assert.ok(BigInt(last.path_version) > BigInt(held.get(id).path_version));
    grid.check_cheapest(last.path, starts[id], goal);
    if (first === undefined) continue;
    assert.equal(first.revision, revision);
    assert.deepEqual(first.cause_revisions, [revision]);
    assert.deepEqual(first.cause_obstacles, [upper_door.id]);
    assert.equal(first.path_version, held.get(id).path_version);
    const { cells } = held.get(id).path;
    const broken = first.first_invalid_waypoint;
    assert.ok(broken >= 1 && cells[2 * broken] >= 8, 'the broken run reaches the door');
    assert.ok(cells[2 * broken - 2] < 8, 'the run before it is whole');
  }
  assert.deepEqual(events_of(batches, '13'), [], 'the agent of the other door hears nothing');
  session.stream.cancel();
});

test('The last door shut is UNREACHABLE, one opened NEW_PATH, a better one IMPROVED', async () => {
  const { grid, session } = await settled_world('last');
  await apply(server.api, 'last', shut(upper_door));
  const shut_both = await apply(server.api, 'last', shut(lower_door));
  await session.settled(shut_both.revision);
  for (const { id } of agents) {
    assert.equal(session.latest.get(id).type, 'EVENT_TYPE_UNREACHABLE');
    assert.equal(session.latest.get(id).path.status, 'PATH_STATUS_UNREACHABLE');
  }
  const lower = await apply(server.api, 'last', switched(lower_door, false));
  await session.settled(lower.revision);
  grid.shut(upper_door.cells);
  for (const { id, position, goals } of agents) {
    assert.equal(session.latest.get(id).type, 'EVENT_TYPE_NEW_PATH');
    assert.equal(session.latest.get(id).reason, 'EVENT_REASON_REACHABLE_AGAIN');
    grid.check_cheapest(session.latest.get(id).path, position.cell, goals[0].cell);
  }
  const upper = await apply(server.api, 'last', { remove_obstacles: [upper_door.id] });
  await session.settled(upper.revision);
  grid.open(upper_door.cells);
  for (const id of ['11', '12']) {
    assert.equal(session.latest.get(id).type, 'EVENT_TYPE_IMPROVED');
    grid.check_cheapest(session.latest.get(id).path, starts[id], goal);
  }
  session.stream.cancel();
});

async function resumes_with_latest_verdicts(world, cut_off) {
  const grid = await import_rows(server.api, world, two_rooms);
  const wire = await open_wire(server);
  const first_life = connect(wire.address);
  const before_cut = await Session.open(first_life, { world, session_id: 'game-7' });
  before_cut.send({ upsert: { agents } });
  await before_cut.settled(1);
  cut_off(wire, before_cut);
  const fault = await before_cut.stream.end_fault();
  assert.match(fault.status, /^(UNAVAILABLE|CANCELLED)$/);
  first_life.close();
  wire.cut();

  // The world continues: many verdicts, of which only the last of each agent counts.
  await apply(server.api, world, shut(upper_door));
  for (let i = 0; i < 6; ++i) await apply(server.api, world, switched(upper_door, i % 2 === 0));
  const { revision } = await apply(server.api, world, switched(upper_door, true));
  grid.shut(upper_door.cells);
  await all_proved(world, revision);

  const resumed = await Session.open(server.api, { world, session_id: 'game-7' });
  assert.equal(resumed.opened.resumed, true);
  assert.equal(resumed.opened.agents, '3');
  assert.equal(resumed.opened.revision, revision);
  resumed.send({ report: { positions: [{ id: '13', position: { cell: starts[13] } }] } });
  const batches = await resumed.settled(revision);
  assert.ok(await quiet(resumed), 'nothing is sent twice');
  for (const { id, position, goals } of agents) {
    assert.equal(events_of(batches, id).length, 1, `verdicts of agent ${id}`);
    const [event] = events_of(batches, id);
    assert.notEqual(event.type, 'EVENT_TYPE_INVALIDATED', 'the latest verdict, not an older one');
    grid.check_cheapest(event.path, position.cell, goals[0].cell);
  }
  resumed.stream.cancel();
}

test('A session whose connection breaks resumes with the latest verdict of each agent, once', () =>
  resumes_with_latest_verdicts('cut', (wire) => wire.cut()));

test('A session that is cancelled resumes with the latest verdict of each agent, once', () =>
  resumes_with_latest_verdicts('cancelled', (_, session) => session.stream.cancel()));

// Waits until no agent of the world waits.
async function all_proved(world, revision) {
  for (;;) {
    const { agents: states } = await server.api.agent.ListAgents({ world });
    if (states.every((state) => Number(state.settled_revision) >= Number(revision))) return;
    await sleep(5);
  }
}

// Returns true if the next 300 ms bring no events.
async function quiet(session) {
  const until = Date.now() + 300;
  const events = session.events.length;
  while (!(await session.stream.silent(until - Date.now())) && Date.now() < until) {
    await session.batch();
  }
  return session.events.length === events;
}

test('A second stream of the same session takes it over', async () => {
  const { session } = await settled_world('over');
  const second = await Session.open(server.api, { world: 'over', session_id: 'over.session' });
  assert.equal(second.opened.resumed, true);
  const fault = await session.stream.end_fault();
  assert.equal(fault.status, 'ABORTED');
  assert.equal(fault.reason, 'SESSION_TAKEN_OVER');
  second.stream.cancel();
});

test('A session with a secret is taken over and acted for only with it', async () => {
  const world = 'secret';
  await import_rows(server.api, world, two_rooms);
  const mine = { world, session_id: 'mine', session_secret: 'of my own' };
  const session = await Session.open(server.api, mine);
  const denied = { status: 'PERMISSION_DENIED', reason: 'SESSION_DENIED' };
  for (const session_secret of ['', 'of another']) {
    const stream = server.api.agent.Session();
    stream.write({ sequence: 1, open: { ...mine, session_secret } });
    check_fault(await stream.end_fault(), { ...denied, field: 'open.session_secret' });
    await refused(server.api.agent.UpsertAgents({ ...mine, session_secret, agents }), {
      ...denied,
      field: 'session_secret',
    });
  }
  await server.api.agent.UpsertAgents({ ...mine, agents });
  const again = await Session.open(server.api, mine);
  assert.equal(again.opened.resumed, true);
  assert.equal(again.opened.agents, String(agents.length));
  const { sessions } = await server.api.admin.ListSessions({ world });
  assert.deepEqual(
    sessions.map(({ session_id, has_secret, connected }) => ({ session_id, has_secret, connected })),
    [{ session_id: 'mine', has_secret: true, connected: true }],
  );
  const { removed_agents } = await server.api.admin.CloseSession({ world, session_id: 'mine' });
  assert.equal(removed_agents, String(agents.length));
  check_fault(await again.stream.end_fault(), { status: 'ABORTED', reason: 'SESSION_CLOSED' });
  session.stream.cancel();
});

test('A session that stays away longer than its time to live loses its agents', async () => {
  await import_rows(server.api, 'away', two_rooms);
  const open = { world: 'away', session_id: 'brief', session_ttl_ms: 50 };
  const session = await Session.open(server.api, open);
  session.send({ upsert: { agents } });
  await session.settled(1);
  const watch = server.api.agent.WatchPaths({ world: 'away' });
  session.stream.cancel();
  const removed = new Map();
  while (removed.size < agents.length) {
    const { events } = await watch.next();
    for (const event of events)
      if (event.type === 'EVENT_TYPE_REMOVED') removed.set(event.agent_id, event);
  }
  for (const event of removed.values()) assert.equal(event.reason, 'EVENT_REASON_SESSION_EXPIRED');
  watch.cancel();
  const again = await Session.open(server.api, open);
  assert.equal(again.opened.resumed, false);
  assert.equal(again.opened.agents, '0');
  again.stream.cancel();
});

test('A session without an id is given one that other calls may name', async () => {
  await import_rows(server.api, 'given', two_rooms);
  const session = await Session.open(server.api, { world: 'given' });
  assert.match(session.opened.session_id, /^[A-Za-z0-9_.-]{1,64}$/);
  await server.api.agent.UpsertAgents({
    world: 'given',
    session_id: session.opened.session_id,
    agents,
  });
  await session.until(({ latest }) => latest.size === agents.length);
  session.stream.cancel();
});

test('A refused message names itself and its field, and the stream goes on', async () => {
  const { session } = await settled_world('refuse');
  const sequence = session.send({ upsert: { agents: [agents[0], { ...agents[1], team: 32 }] } });
  const { rejected } = await session.stream.next();
  assert.equal(rejected.sequence, String(sequence));
  const fault = await session.outcome({ upsert: { agents: [{ ...agents[0], priority: 8 }] } });
  assert.equal(fault.status, 'INVALID_ARGUMENT');
  assert.deepEqual(fault.fields, ['upsert.agents[0].priority']);
  assert.equal(await session.outcome({ upsert: { agents } }), null);
  session.stream.cancel();
});

test('Deleting the world removes the agents and ends the stream', async () => {
  const { session } = await settled_world('gone');
  await server.api.world.DeleteWorld({ world: 'gone' });
  await session.until(({ events }) => events.length >= 2 * agents.length);
  for (const { id } of agents) {
    assert.equal(session.latest.get(id).type, 'EVENT_TYPE_REMOVED');
    assert.equal(session.latest.get(id).reason, 'EVENT_REASON_WORLD_DELETED');
  }
  const fault = await session.stream.end_fault();
  assert.equal(fault.status, 'NOT_FOUND');
  await refused(server.api.world.GetWorld({ world: 'gone' }), {
    status: 'NOT_FOUND',
    reason: 'WORLD_UNKNOWN',
    field: 'world',
  });
});

// Ownership of agents: rejections, take-overs, and calls outside a stream that have a place in it.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { check_fault, refused } from './decode.mjs';
import { start_server } from './server.mjs';
import { Session } from './session.mjs';
import { agent, apply, import_rows, shut, two_rooms, upper_door } from './worlds.mjs';

let server;
before(async () => (server = await start_server()));
after(() => server.stop());

const goal = { x: 14, y: 3 };
const place = { x: 2, y: 3 };
const owned = (field) => ({ status: 'PERMISSION_DENIED', reason: 'AGENT_OWNED', field });

// A world with session "first", which has agents 1 and 2, settled, and session "second".
async function two_sessions(world) {
  await import_rows(server.api, world, two_rooms);
  const first = await Session.open(server.api, { world, session_id: 'first' });
  first.send({ upsert: { agents: [agent('1', place, goal), agent('2', { x: 2, y: 7 }, goal)] } });
  await first.settled(1);
  const second = await Session.open(server.api, { world, session_id: 'second' });
  return { first, second };
}

function close(...sessions) {
  for (const session of sessions) session.stream.cancel();
}

async function ids_of(world) {
  const { agents } = await server.api.agent.ListAgents({ world });
  return agents.map((state) => state.agent.id);
}

test('Another session may not change an agent, nor anything in the same message', async () => {
  const world = 'refused';
  const { first, second } = await two_sessions(world);
  const mine = agent('3', place, goal);
  const position = { cell: { x: 3, y: 3 } };
  check_fault(
    await second.outcome({ upsert: { agents: [mine, agent('1', place, goal)] } }),
    owned('upsert.agents[1].id'),
  );
  assert.deepEqual(await ids_of(world), ['1', '2']);
  check_fault(
    await second.outcome({ report: { positions: [{ id: '1', position }] } }),
    owned('report.positions[0].id'),
  );
  check_fault(
    await second.outcome({ remove: { agent_ids: ['3', '2'] } }),
    owned('remove.agent_ids[1]'),
  );
  for (const session_id of ['', 'second']) {
    const { UpsertAgents, ReportPositions, RemoveAgents } = server.api.agent;
    const call = { world, session_id };
    const agents = [agent('2', place, goal)];
    const positions = [{ id: '2', position }];
    await refused(UpsertAgents({ ...call, agents }), owned('agents[0].id'));
    await refused(ReportPositions({ ...call, positions }), owned('positions[0].id'));
    await refused(RemoveAgents({ ...call, agent_ids: ['2'] }), owned('agent_ids[0]'));
  }
  assert.deepEqual(await ids_of(world), ['1', '2']);
  const { removed } = await server.api.agent.RemoveAgents({
    world,
    session_id: 'first',
    agent_ids: ['1', '2', '3'],
  });
  assert.equal(removed, '2');
  close(first, second);
});

test('A take-over is REMOVED for the old owner, a path for the new, nothing for a watch', async () => {
  const world = 'taken';
  const { first, second } = await two_sessions(world);
  const watch = server.api.agent.WatchPaths({ world });
  assert.equal((await watch.next()).events.length, 2);
  const held = first.latest.get('1');
  second.send({ upsert: { agents: [agent('1', place, goal)], take_over: true } });
  await second.settled(1);
  await first.until(({ latest }) => latest.get('1').type === 'EVENT_TYPE_REMOVED');
  assert.equal(first.latest.get('1').reason, 'EVENT_REASON_TAKEN_OVER');
  assert.deepEqual(
    second.events.map(({ type, agent_id, path_version }) => ({ type, agent_id, path_version })),
    [{ type: 'EVENT_TYPE_NEW_PATH', agent_id: '1', path_version: held.path_version }],
  );
  assert.deepEqual([...second.latest.get('1').path.cells], [...held.path.cells]);
  const seen = first.events.length;
  const { revision } = await apply(server.api, world, shut(upper_door));
  await second.settled(revision);
  await first.settled(revision);
  assert.ok(first.events.slice(seen).every(({ agent_id }) => agent_id === '2'));
  assert.match(second.latest.get('1').type, /REPLANNED/);
  for (let replanned = false; !replanned; ) {
    const { events } = await watch.next();
    assert.ok(events.every(({ type }) => type !== 'EVENT_TYPE_REMOVED'), 'the agent goes on');
    replanned = events.some(({ agent_id, type }) => agent_id === '1' && /REPLANNED/.test(type));
  }
  watch.cancel();
  close(first, second);
});

test('A session that was away learns on resuming what was taken from it', async () => {
  const world = 'away';
  const { first, second } = await two_sessions(world);
  close(first);
  await second.outcome({ upsert: { agents: [agent('1', place, goal)], take_over: true } });
  const resumed = await Session.open(server.api, { world, session_id: 'first' });
  assert.equal(resumed.opened.agents, '1');
  await resumed.settled(1);
  assert.equal(resumed.latest.get('1').reason, 'EVENT_REASON_TAKEN_OVER');
  assert.equal(resumed.latest.get('2').type, 'EVENT_TYPE_NEW_PATH');
  close(resumed, second);
});

test('A report passes over agents that are gone and names them', async () => {
  const world = 'gone';
  const { first, second } = await two_sessions(world);
  const positions = ['9', '1', '8'].map((id) => ({ id, position: { cell: { x: 3, y: 3 } } }));
  const sequence = first.send({ report: { positions } });
  await first.settled(1);
  assert.deepEqual(first.unknown, [{ sequence: String(sequence), agent_ids: ['9', '8'] }]);
  const request = { world, session_id: 'first', positions };
  const { unknown_agents } = await server.api.agent.ReportPositions(request);
  assert.deepEqual(unknown_agents, ['9', '8']);
  const { agents } = await server.api.agent.ListAgents({ world, agent_ids: ['1'] });
  assert.deepEqual(agents[0].cell, { x: 3, y: 3 });
  close(first, second);
});

test('A call with a sequence has its place among the messages of the stream', async () => {
  const world = 'place';
  await import_rows(server.api, world, two_rooms, { lockstep: true });
  const session_id = 'first';
  const session = await Session.open(server.api, { world, session_id });
  const call = { world, session_id, agents: [agent('1', place, goal)] };
  const { api } = server;
  await api.agent.UpsertAgents({ ...call, sequence: 1000 });
  const { applied_sequence } = await api.agent.Tick({ world, session_id });
  assert.equal(applied_sequence, '1000');
  await session.until(({ read }) => read.applied_sequence === 1000);
  const rising = { status: 'INVALID_ARGUMENT', reason: 'SEQUENCE_NOT_RISING', field: 'sequence' };
  await refused(api.agent.UpsertAgents({ ...call, sequence: 1000 }), rising);
  const report = { world, session_id, positions: [{ id: '1', position: { cell: place } }] };
  await refused(api.agent.ReportPositions({ ...report, sequence: 999 }), rising);
  const removal = { world, session_id, agent_ids: ['1'] };
  await refused(api.agent.RemoveAgents({ ...removal, sequence: 1 }), rising);
  await refused(api.agent.UpsertAgents({ world, agents: call.agents, sequence: 1001 }), {
    status: 'INVALID_ARGUMENT',
    reason: 'SESSION_MISSING',
    field: 'sequence',
  });
  close(session);
  for (let kept = false; !kept; ) {
    const tick = await api.agent.Tick({ world, session_id });
    kept = tick.last_batch_number === '0'; // The stream is gone.
    assert.ok(Number(tick.applied_sequence) >= 1000);
  }
  await api.agent.ReportPositions({ ...report, sequence: 2000 });
  assert.equal((await api.agent.Tick({ world, session_id })).applied_sequence, '2000');
  const resumed = await Session.open(api, { world, session_id });
  await resumed.settled(1);
  assert.equal(resumed.read.applied_sequence, resumed.last_action, 'it begins with its own');
  close(resumed);
});

test('The metadata of a refusal has the revision or the epoch that there is', async () => {
  const world = 'facts';
  await import_rows(server.api, world, two_rooms);
  await apply(server.api, world, shut(upper_door));
  const { epoch } = await server.api.world.GetWorld({ world });
  const batch = shut(upper_door);
  for (const call of ['ApplyChanges', 'TestChanges']) {
    const request = { world, batch, expected_revision: '1' };
    const expected = { status: 'ABORTED', reason: 'REVISION_MISMATCH' };
    const fault = await refused(server.api.world[call](request), expected);
    assert.equal(fault.metadata.revision, '2', call);
  }
  for (const stream of [
    server.api.agent.WatchPaths({ world, epoch: 'another' }),
    server.api.world.WatchWorld({ world, epoch: 'another' }),
  ]) {
    const fault = await stream.end_fault();
    check_fault(fault, { status: 'FAILED_PRECONDITION', reason: 'EPOCH_CHANGED' });
    assert.equal(fault.metadata.epoch, epoch);
  }
});

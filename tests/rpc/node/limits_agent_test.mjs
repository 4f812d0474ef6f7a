// Every field of AgentService's requests at its limits and past them, unary and on a stream.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { check_fault, Fault } from './decode.mjs';
import { agent_rows, all_inside, here, map, max_uint64, repeat, there, world } from './rows.mjs';
import { start_server } from './server.mjs';
import { Session } from './session.mjs';
import {
  accept,
  any_id,
  check_table,
  place,
  refuse,
  refuse_all,
  sender,
  whole,
  world_of,
  worlds_now,
} from './table.mjs';

let server;
let api;
before(async () => {
  server = await start_server();
  api = server.api;
  await api.world.CreateWorld({ name: world, ...map, options: { lockstep: true } });
  await api.world.CreateWorld({ name: 'clocked', ...map });
  await api.agent.UpsertAgents({ world, agents: [right_agent(1)] });
});
after(() => server.stop());

const right_agent = (id) => ({ id, position: here, goals: [there] });
const right_position = (id) => ({ id, position: there });
const no_session = { status: 'NOT_FOUND', reason: 'SESSION_UNKNOWN' };

const upsert_rows = [
  all_inside('agents[0]', agent_rows),
  refuse('agents', []),
  accept(
    'agents',
    repeat(4096, (i) => right_agent(i + 1)),
  ),
  refuse(
    'agents',
    repeat(4097, (i) => right_agent(i + 1)),
  ),
  refuse('agents', [right_agent(1), { ...right_agent(2), team: 32 }], { field: 'agents[1].team' }),
].flat();

const report_rows = [
  accept('positions[0].id', 1_000_000), // Unknown ids are ignored.
  place('positions[0].position', map),
  accept('positions[0].path_version', 0, 1, max_uint64),
  refuse('positions', []),
  accept(
    'positions',
    repeat(16_384, () => right_position(1)),
  ),
  refuse(
    'positions',
    repeat(16_385, () => right_position(1)),
  ),
].flat();

const remove_rows = [
  refuse('agent_ids', []),
  accept(
    'agent_ids',
    [max_uint64],
    repeat(16_384, (i) => 5_000_000 + i),
  ),
  refuse(
    'agent_ids',
    repeat(16_385, (i) => 5_000_000 + i),
  ),
].flat();

function check(method, request, rows, more = {}) {
  return check_table({ api, send: sender(method), request, rows, ...more });
}

test('UpsertAgents', () =>
  check(api.agent.UpsertAgents, () => ({ world, agents: [right_agent(1)] }), [
    world_of(),
    refuse('session_id', 'nobody', no_session),
    refuse('session_secret', 'x'.repeat(65)),
    refuse('session_secret', 'x', { reason: 'SESSION_MISSING' }),
    refuse_all('session_id', ['a'.repeat(65), 'two words'], {
      status: ['NOT_FOUND', 'INVALID_ARGUMENT'],
    }),
    accept('take_over', true),
    refuse('sequence', 1, { reason: 'SESSION_MISSING' }),
    upsert_rows,
  ]));

test('ReportPositions', () =>
  check(api.agent.ReportPositions, () => ({ world, positions: [right_position(1)] }), [
    world_of(),
    refuse('session_id', 'nobody', no_session),
    refuse('session_secret', 'x'.repeat(65)),
    refuse('session_secret', 'x', { reason: 'SESSION_MISSING' }),
    refuse('sequence', 1, { reason: 'SESSION_MISSING' }),
    report_rows,
  ]));

test('RemoveAgents', () =>
  check(api.agent.RemoveAgents, () => ({ world, agent_ids: [1_000_000] }), [
    world_of(),
    refuse('session_id', 'nobody', no_session),
    refuse('session_secret', 'x'.repeat(65)),
    refuse('session_secret', 'x', { reason: 'SESSION_MISSING' }),
    refuse('sequence', 1, { reason: 'SESSION_MISSING' }),
    remove_rows,
  ]));

test('ListAgents', () =>
  check(
    api.agent.ListAgents,
    () => ({ world }),
    [
      world_of(),
      whole('page_size', 0, 1000),
      refuse_all('page_size', [-1, 2 ** 31 - 1]),
      accept(
        'agent_ids',
        repeat(1000, (i) => i),
      ),
      refuse(
        'agent_ids',
        repeat(1001, (i) => i),
      ),
    ],
    { reads: true },
  ));

test('Tick', () =>
  check(
    api.agent.Tick,
    () => ({ world }),
    [
      world_of(),
      refuse('world', 'clocked', {
        status: 'FAILED_PRECONDITION',
        reason: 'NOT_LOCKSTEP',
        field: undefined,
      }),
      refuse('session_id', 'nobody', no_session),
      refuse_all('session_id', ['a'.repeat(65), 'two words'], {
        status: ['NOT_FOUND', 'INVALID_ARGUMENT'],
      }),
      accept('budget_work_units', 0, 1, 1e12),
      refuse_all('budget_work_units', [1e12 + 1, max_uint64]),
      accept('budget_us', 0, 1, 1e7),
      refuse_all('budget_us', [1e7 + 1, max_uint64]),
      accept('game_tick', max_uint64),
    ],
    { reads: true },
  ));

// A stream counts as accepted when its first message comes.
async function stream_outcome(stream) {
  try {
    await stream.next();
    return null;
  } catch (error) {
    if (error instanceof Fault) return error;
    throw error;
  } finally {
    stream.cancel();
  }
}

test('WatchPaths', () =>
  check_table({
    api,
    send: (request) => stream_outcome(api.agent.WatchPaths(request)),
    request: () => ({ world }),
    rows: [
      world_of(),
      accept(
        'agent_ids',
        [],
        [max_uint64],
        repeat(10_000, (i) => i),
      ),
      refuse(
        'agent_ids',
        repeat(10_001, (i) => i),
      ),
      accept('start_revision', 0, 1),
      refuse('epoch', 'another', {
        status: 'FAILED_PRECONDITION',
        reason: 'EPOCH_CHANGED',
        field: undefined,
      }),
    ],
    reads: true,
  }));

test('WatchWorld', () =>
  check_table({
    api,
    send: (request) => stream_outcome(api.world.WatchWorld(request)),
    request: () => ({ world }),
    rows: [
      world_of(),
      accept('start_revision', 0, 2),
      refuse_all('start_revision', [1, 3, max_uint64], { status: 'OUT_OF_RANGE' }),
      refuse('epoch', 'another', {
        status: 'FAILED_PRECONDITION',
        reason: 'EPOCH_CHANGED',
        field: undefined,
      }),
    ],
    reads: true,
  }));

function open_session(open) {
  const stream = api.agent.Session();
  stream.write({ sequence: 1, open });
  return stream_outcome(stream);
}

test('Session: open', () =>
  check_table({
    api,
    send: ({ open }) => open_session(open),
    request: () => ({ open: { world } }),
    rows: [
      all_inside('open', [
        world_of(),
        accept('session_id', '', 'a'.repeat(64), 'A-Za-z0-9_.-'),
        refuse_all('session_id', ['a'.repeat(65), 'two words', 'a/b', 'n\u00e9', 'a\u0000']),
        accept('session_secret', '', 'x'.repeat(64), '\u00e9'.repeat(32)),
        refuse_all('session_secret', ['x'.repeat(65), '\u00e9'.repeat(33)]),
        whole('session_ttl_ms', 0, 86_400_000),
        refuse('session_ttl_ms', 2 ** 32 - 1),
        whole('ack_window', 1, 16, { zero: true }),
        refuse('ack_window', 2 ** 32 - 1),
      ]),
    ],
    reads: true,
  }));

test('Session: a first message that is no open', async () => {
  for (const action of [
    {},
    { acknowledge: { batch_number: 1 } },
    { upsert: { agents: [right_agent(9)] } },
    { report: { positions: [right_position(1)] } },
    { remove: { agent_ids: [1] } },
  ]) {
    const before_it = await worlds_now(api);
    const stream = api.agent.Session();
    stream.write({ sequence: 1, ...action });
    check_fault(await stream.end_fault(), { status: 'INVALID_ARGUMENT', field: 'open' });
    assert.deepEqual(await worlds_now(api), before_it);
  }
});

// Sends rows on one open stream: bad messages are rejected and the stream continues.
async function check_actions(session_id, request, rows) {
  const session = await Session.open(api, { world, session_id });
  // Runs frames while it waits for the answer, because batches come with them.
  const send = async (action) => {
    let answered = false;
    const outcome = session.outcome(action).finally(() => (answered = true));
    while (!answered) await api.agent.Tick({ world, session_id });
    return outcome;
  };
  await check_table({ api, send, request, rows });
  session.stream.cancel();
}

test('Session: upsert', () =>
  check_actions(
    'upserts',
    () => ({ upsert: { agents: [right_agent(1)] } }),
    all_inside('upsert', upsert_rows),
  ));

test('Session: report', () =>
  check_actions(
    'upserts', // The session that owns the agents.
    () => ({ report: { positions: [right_position(1)] } }),
    all_inside('report', report_rows),
  ));

test('Session: remove', () =>
  check_actions(
    'upserts',
    () => ({ remove: { agent_ids: [1_000_000] } }),
    all_inside('remove', remove_rows),
  ));

async function next_rejection(stream) {
  for (;;) {
    const message = await stream.next();
    if (message.answer === 'rejected') return message;
  }
}

test('Session: a second open, an action of no kind, a sequence that does not rise', async () => {
  const session = await Session.open(api, { world, session_id: 'orders' });
  for (const [message, field] of [
    [{ sequence: 2, open: { world } }, 'open'],
    [{ sequence: 3 }, ['action', '']],
    [{ sequence: 3, remove: { agent_ids: [1] } }, 'sequence'],
    [{ sequence: 0, remove: { agent_ids: [1] } }, 'sequence'],
    [{ sequence: 4, acknowledge: { batch_number: 1_000_000 } }, 'acknowledge.batch_number'],
  ]) {
    const before_it = await worlds_now(api);
    session.stream.write(message);
    const { rejected } = await next_rejection(session.stream);
    const fault = Fault.of_status(rejected.status, JSON.stringify(message));
    check_fault(fault, { status: 'INVALID_ARGUMENT', field });
    assert.deepEqual(await worlds_now(api), before_it);
  }
  session.stream.cancel();
});

// Thousands of spoilt messages for every method. The server survives, every answer has a type, and
// a state hash changes only by acknowledged changes.
//
// REPATH_TEST_SEED repeats a run, REPATH_TEST_FUZZ sets the number of messages for each method.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { Ended, methods_of } from './api.mjs';
import { Fault } from './decode.mjs';
import { Mutator } from './mutate.mjs';
import { Random, seed } from './random.mjs';
import { agent, import_parts, shut, two_rooms, upper_door } from './worlds.mjs';
import { start_server } from './server.mjs';
import { Session } from './session.mjs';
import { worlds_now } from './table.mjs';

const messages = Number(process.env.REPATH_TEST_FUZZ ?? 2000);
const at_once = 50; // Calls side by side; after each such group the worlds are compared.
const stream_messages = 20;
const silence_ms = 100;
const anchors = ['anchor', 'lockstep'];
// They return state hashes.
const changing = ['CreateWorld', 'ImportWorld', 'ForkWorld', 'ApplyChanges', 'DeleteWorld'];
const from = { cell: { x: 2, y: 3 } };
const to = { cell: { x: 14, y: 3 } };
const query = {
  world: 'anchor',
  from,
  goals: [to],
  walker: { profile: 'default' },
  options: { weight: 1 },
};
const imported = { name: 'fuzzed', cell_size: 1, options: { history_revisions: 5 } };
const created = { ...imported, width: 8, height: 8 };

// A right request for each method; a spoilt message begins as this.
const right = {
  world: {
    CreateWorld: created,
    GetWorld: { world: 'anchor' },
    ListWorlds: { page_size: 10 },
    DeleteWorld: { world: 'fuzzed' },
    ForkWorld: { source: anchors[0], name: 'forked', revision: 1, request_id: 'fork' },
    ApplyChanges: {
      world: 'anchor',
      batch: {
        ...shut(upper_door),
        terrain_edits: [{ cells: { x0: 1, y0: 1, x1: 3, y1: 3 }, terrain_class: 'swamp' }],
        influence_edits: [{ cells: { x0: 1, y0: 1, x1: 3, y1: 3 }, team: 1, add: 64 }],
        stand: [{ agent_id: 77, cells: { x0: 0, y0: 0, x1: 1, y1: 1 } }],
        fog_edits: [{ cells: { x0: 0, y0: 0, x1: 3, y1: 3 }, team: 1, hidden: true }],
        decay_influence: [{ team: 1, keep_permille: 900 }],
      },
    },
    TestChanges: { world: 'anchor', batch: shut(upper_door), pairs: [{ from, to }] },
    ReadChanges: { world: 'anchor', start_revision: 2 },
    GetTerrain: { world: 'anchor', area: { x0: 1, y0: 1, x1: 3, y1: 3 }, team: 1, page_size: 2 },
    ListObstacles: { world: 'anchor', area: { max_x: 9, max_z: 9 }, page_token: 'obstacle-1' },
    ExportWorld: { world: 'anchor', format: 'MAP_FORMAT_TEXT' },
    ImportWorld: import_parts(imported, two_rooms.join('\n'))[1],
    WatchWorld: { world: 'anchor' },
  },
  path: {
    FindPath: query,
    FindPaths: {
      world: 'anchor',
      requests: [
        { from, goals: [to] },
        { from, goals: [to, from] },
      ],
    },
    FindNearest: query,
    FindReachable: { world: 'anchor', from, max_cost: 9 },
    FindAway: { world: 'anchor', from, threats: [to], distance: 5, allow_partial: true },
    GetFlowField: { world: 'anchor', goals: [to], area: { x0: 1, y0: 1, x1: 9, y1: 9 } },
    FindPlacements: { world: 'anchor', area: { x0: 1, y0: 1, x1: 9, y1: 9 }, width: 2, height: 2 },
    Raycast: { world: 'anchor', from, to },
    CheckPath: { world: 'anchor', cells: [2, 3, 14, 3], check_optimal: true },
  },
  agent: {
    UpsertAgents: {
      world: 'lockstep',
      agents: [agent('3', from.cell, to.cell), agent('4', from.cell, to.cell)],
    },
    ReportPositions: {
      world: 'lockstep',
      positions: [
        { id: '1', position: to },
        { id: '2', position: from },
      ],
    },
    RemoveAgents: { world: 'lockstep', agent_ids: ['3'] },
    ListAgents: { world: 'lockstep', with_paths: true },
    ListVerdicts: { world: 'anchor', agent_id: '1', limit: 3 },
    Tick: { world: 'lockstep', budget_work_units: 1000 },
    WatchPaths: { world: 'anchor' },
    Session: { sequence: 5, upsert: { agents: [agent('5', from.cell, to.cell)] } },
  },
  debug: {
    ExplainPath: { request: query },
    GetStats: { world: 'anchor' },
    WatchView: { world: 'anchor' },
  },
  admin: {
    ListSessions: { world: 'anchor', page_size: 3, page_token: 'a' },
    CloseSession: { world: 'anchor', session_id: 'left' },
  },
};

const random = new Random(seed());
const mutator = new Mutator(random, [...anchors, ...anchors, 'fuzzed', 'session']);
const typed = [
  'INVALID_ARGUMENT',
  'NOT_FOUND',
  'PERMISSION_DENIED',
  'ALREADY_EXISTS',
  'FAILED_PRECONDITION',
  'ABORTED',
  'OUT_OF_RANGE',
  'RESOURCE_EXHAUSTED',
  'UNIMPLEMENTED',
];
let server;
let api;

before(async () => {
  server = await start_server();
  api = server.api;
  await with_anchors([]);
});
after(() => server.stop());

// Makes worlds again that a spoilt message deleted. Returns the worlds.
async function with_anchors(states) {
  const lost = anchors.filter((name) => !states.some(({ world }) => world === name));
  for (const world of lost) {
    const options = { lockstep: world === 'lockstep' };
    await api.world.ImportWorld(import_parts({ name: world, options }, two_rooms.join('\n')));
    const agents = ['1', '2'].map((id) => agent(id, from.cell, to.cell));
    await api.agent.UpsertAgents({ world, agents });
    const open = { world, session_id: 'left', session_ttl_ms: 86_400_000 };
    (await Session.open(api, open)).stream.cancel();
  }
  return lost.length === 0 ? states : worlds_now(api);
}

// gRPC itself rejects bytes that are no message; such a rejection carries no details.
function check_typed(fault, what) {
  assert.ok(fault instanceof Fault, `${what}: ${fault}`);
  if (fault.infos.length === 0 && ['INTERNAL', 'UNIMPLEMENTED'].includes(fault.status)) return;
  assert.ok(typed.includes(fault.status), `${what}: ${fault.message}`);
  assert.equal(fault.infos.length, 1, `${what}: ${fault.message}: ErrorInfo`);
}

// Throws unless every new state was acknowledged by an answer.
function check_states(states_before, states_after, acknowledged, what) {
  const old = new Map(states_before.map((state) => [state.world, state]));
  const told = new Set(acknowledged.map(({ revision, state_hash }) => `${revision} ${state_hash}`));
  for (const { world, revision, state_hash } of states_after) {
    const same = old.get(world)?.revision === revision && old.get(world)?.state_hash === state_hash;
    assert.ok(
      same || told.has(`${revision} ${state_hash}`),
      `${what}: ${world} changed without a word`,
    );
  }
  const gone = states_before.filter(
    ({ world }) => !states_after.some((state) => state.world === world),
  );
  assert.ok(gone.length <= acknowledged.length, `${what}: a world vanished without a word`);
}

// Returns {accepted, states}: the number of accepted calls, and the worlds after them.
async function group_of_calls(what, call_one, states_before) {
  const outcomes = await Promise.allSettled(Array.from({ length: at_once }, call_one));
  assert.ok(server.running, `${what}: the server died\n${server.output}`);
  const answers = [];
  for (const { status, value, reason } of outcomes) {
    if (status === 'fulfilled') answers.push(value);
    else check_typed(reason, what);
  }
  const states = await worlds_now(api);
  check_states(states_before, states, changing.includes(what) ? answers : [], what);
  return { accepted: answers.length, states };
}

async function fuzz(t, what, calls, call_one) {
  t.diagnostic(`REPATH_TEST_SEED=${seed()}`);
  let accepted = 0;
  let states = await worlds_now(api);
  for (let sent = 0; sent < calls; sent += at_once) {
    const group = await group_of_calls(what, call_one, states);
    accepted += group.accepted;
    states = await with_anchors(group.states);
  }
  for (const { world } of states) {
    if (!anchors.includes(world)) await api.world.DeleteWorld({ world });
  }
  t.diagnostic(`${accepted} of ${calls} accepted`);
  assert.ok(accepted > 0, 'not everything is refused at the door');
}

for (const [key, requests] of Object.entries(right)) {
  for (const [name, request] of Object.entries(requests)) {
    const method = methods_of(key)[name];
    if (method.requestStream || method.responseStream) continue;
    test(`${key}.${name}`, (t) =>
      fuzz(t, name, messages, async () => {
        const answer = await api[key].raw(name, mutator.bytes(method, request));
        return method.responseDeserialize(answer);
      }));
  }
}

for (const [key, name] of [
  ['world', 'WatchWorld'],
  ['world', 'ExportWorld'],
  ['agent', 'WatchPaths'],
  ['debug', 'WatchView'],
]) {
  test(`${key}.${name}`, (t) =>
    fuzz(t, name, messages / 4, async () => {
      const stream = api[key].raw_stream(name);
      stream.write(mutator.bytes(methods_of(key)[name], right[key][name]));
      stream.call.end();
      try {
        if (!(await stream.silent(silence_ms))) await stream.next(); // Silence is not a rejection.
        return {};
      } finally {
        stream.cancel();
      }
    }));
}

test('world.ImportWorld', (t) =>
  fuzz(t, 'ImportWorld', messages / 4, async () => {
    const method = methods_of('world').ImportWorld;
    const [header, ...chunks] = import_parts(
      { ...imported, name: `fuzzed-${random.below(1000)}` },
      two_rooms.join('\n'),
    );
    const stream = api.world.raw_stream('ImportWorld');
    const spoils_header = random.chance(0.5);
    stream.write(spoils_header ? mutator.bytes(method, header) : method.requestSerialize(header));
    for (const part of chunks) {
      stream.write(
        random.chance(0.5) ? mutator.bytes(method, part) : method.requestSerialize(part),
      );
    }
    stream.call.end();
    return method.responseDeserialize(await stream.next());
  }));

// Random actions on one stream: it continues after each rejection, or ends with a typed status.
test('agent.Session', (t) =>
  fuzz(t, 'Session', messages / stream_messages, async () => {
    const method = methods_of('agent').Session;
    const stream = api.agent.raw_stream('Session');
    try {
      const open = {
        sequence: 1,
        open: { world: random.of(anchors), session_id: `s${random.below(9)}` },
      };
      stream.write(method.requestSerialize(open));
      await stream.next();
      const actions = [
        right.agent.Session,
        { sequence: 6, report: { positions: [{ id: '1', position: from }] } },
        { sequence: 7, remove: { agent_ids: ['5'] } },
        { sequence: 8, acknowledge: { batch_number: 1 } },
      ];
      for (let i = 0; i < stream_messages; ++i) {
        stream.write(mutator.bytes(method, { ...random.of(actions), sequence: 2 + i }));
      }
      stream.write(method.requestSerialize(wrong_message));
      await until_rejected(stream, method);
      return {};
    } catch (error) {
      if (error instanceof Ended) return {}; // Bytes that are no message look like a half-close.
      throw error;
    } finally {
      stream.cancel();
    }
  }));

// The last message of a stream: when it is rejected, all earlier ones have taken effect.
const wrong_message = { sequence: '18446744073709551615', remove: { agent_ids: [] } };

async function until_rejected(stream, method) {
  for (;;) {
    const { rejected } = method.responseDeserialize(await stream.next());
    if (rejected?.sequence === wrong_message.sequence) return;
  }
}

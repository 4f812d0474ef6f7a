// Agents without a stream: upserted, listed in pages, moved, removed.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { refused } from './decode.mjs';
import { cells_of } from './grid.mjs';
import { start_server } from './server.mjs';
import { agent, apply, import_rows, shut, two_rooms, upper_door } from './worlds.mjs';

let server;
before(async () => (server = await start_server()));
after(() => server.stop());

const goal = { x: 14, y: 3 };

async function states_of(request) {
  return (await server.api.agent.ListAgents(request)).agents;
}

async function settled_states(world, revision) {
  for (;;) {
    const states = await states_of({ world, with_paths: true });
    if (states.every((state) => Number(state.settled_revision) >= revision)) return states;
    await sleep(5);
  }
}

test('ListAgents gives every agent once, ascending by id, page by page', async () => {
  const world = 'pages';
  await import_rows(server.api, world, two_rooms);
  const ids = ['0', '9007199254740993', '18446744073709551615'];
  for (let i = 1; i <= 247; ++i) ids.push(String(i * 1000));
  const agents = ids.map((id, i) => agent(id, { x: 1 + (i % 7), y: 1 + (i % 8) }, goal));
  await server.api.agent.UpsertAgents({ world, agents });
  const expected = ids
    .map(BigInt)
    .sort((a, b) => (a < b ? -1 : 1))
    .map(String);
  for (const page_size of [1000, 0, 7, 250]) {
    const seen = [];
    let page_token = '';
    do {
      const page = await server.api.agent.ListAgents({ world, page_size, page_token });
      assert.ok(page.agents.length <= (page_size || 100));
      assert.equal(page.revision, '1');
      seen.push(...page.agents.map((state) => state.agent.id));
      page_token = page.next_page_token;
    } while (page_token !== '');
    assert.deepEqual(seen, expected);
  }
  const chosen = await states_of({ world, agent_ids: ['2000', '1000', '1000', '3'] });
  assert.deepEqual(
    chosen.map((state) => state.agent.id),
    ['1000', '2000'],
  );
});

test('An agent is told back as it was given, with its verdict', async () => {
  const world = 'told';
  const grid = await import_rows(server.api, world, two_rooms);
  const given = agent('42', { x: 2, y: 3 }, goal, {
    team: 31,
    goal_radius: 1,
    priority: 7,
    max_staleness_ms: 250,
    min_improvement_ratio: 0.25,
    allow_partial: true,
    crowd: { penalty: 2, radius: 3, max_detour: 0.125 },
  });
  await server.api.agent.UpsertAgents({ world, agents: [given] });
  const [state] = await settled_states(world, 1);
  for (const field of [
    'id',
    'team',
    'goal_radius',
    'priority',
    'max_staleness_ms',
    'min_improvement_ratio',
  ]) {
    assert.equal(state.agent[field], given[field], field);
  }
  assert.equal(state.agent.allow_partial, true);
  assert.deepEqual({ ...state.agent.crowd }, given.crowd);
  assert.equal(state.agent.snap_start, false);
  assert.deepEqual(state.cell, given.position.cell);
  assert.equal(state.waiting, false);
  assert.equal(state.verdict.type, 'EVENT_TYPE_NEW_PATH');
  const cells = cells_of(state.verdict.path);
  grid.cost_of_walk(cells); // Throws if the path is blocked.
  const last = cells[cells.length - 1];
  assert.ok(Math.hypot(last.x - goal.x, last.y - goal.y) <= 1, 'it ends within the goal radius');
  assert.ok(Math.abs(state.cost - state.verdict.path.cost) < 1e-9);
  const [bare] = await states_of({ world });
  assert.deepEqual(bare.verdict.path?.cells ?? [], [], 'no path unless asked for');
});

test('An agent that walks along its path keeps it, one that strays gets a new one', async () => {
  const world = 'walk';
  const grid = await import_rows(server.api, world, two_rooms);
  await server.api.agent.UpsertAgents({ world, agents: [agent('1', { x: 2, y: 3 }, goal)] });
  const [start] = await settled_states(world, 1);
  const path_version = start.verdict.path_version;
  const report = (cell) =>
    server.api.agent.ReportPositions({
      world,
      positions: [{ id: '1', position: { cell }, path_version }],
    });
  await report({ x: 6, y: 3 });
  const [walked] = await settled_states(world, 1);
  assert.equal(walked.verdict.path_version, path_version);
  assert.ok(Math.abs(walked.cost - grid.cost({ x: 6, y: 3 }, goal)) < 1e-5);
  await report({ x: 2, y: 8 });
  const [strayed] = await settled_states(world, 1);
  assert.equal(strayed.verdict.type, 'EVENT_TYPE_NEW_PATH');
  assert.equal(strayed.verdict.reason, 'EVENT_REASON_OFF_PATH');
  grid.check_cheapest(strayed.verdict.path, { x: 2, y: 8 }, goal);
});

test('Removing agents counts those that were there, and tells their watchers', async () => {
  const world = 'removed';
  await import_rows(server.api, world, two_rooms);
  const agents = ['1', '2', '3'].map((id) => agent(id, { x: 2, y: 3 }, goal));
  await server.api.agent.UpsertAgents({ world, agents });
  await settled_states(world, 1);
  const watch = server.api.agent.WatchPaths({ world, start_revision: 1 });
  await watch.next();
  const { removed } = await server.api.agent.RemoveAgents({ world, agent_ids: ['1', '3', '99'] });
  assert.equal(removed, '2');
  const gone = [];
  while (gone.length < 2) gone.push(...(await watch.next()).events);
  for (const event of gone) {
    assert.equal(event.type, 'EVENT_TYPE_REMOVED');
    assert.equal(event.reason, 'EVENT_REASON_REMOVED_BY_CLIENT');
  }
  assert.deepEqual(gone.map(({ agent_id }) => agent_id).sort(), ['1', '3']);
  const states = await states_of({ world });
  assert.deepEqual(
    states.map((state) => state.agent.id),
    ['2'],
  );
  watch.cancel();
});

test('A wall over an agent says START_BLOCKED, over its goal GOAL_BLOCKED', async () => {
  const world = 'blocked';
  await import_rows(server.api, world, two_rooms);
  const agents = [agent('1', { x: 8, y: 3 }, goal), agent('2', { x: 2, y: 3 }, { x: 8, y: 3 })];
  await server.api.agent.UpsertAgents({ world, agents });
  await settled_states(world, 1);
  await apply(server.api, world, shut(upper_door));
  const [buried, cut_off] = await settled_states(world, 2);
  assert.equal(buried.verdict.type, 'EVENT_TYPE_START_BLOCKED');
  assert.equal(cut_off.verdict.type, 'EVENT_TYPE_UNREACHABLE');
  assert.equal(cut_off.verdict.path.status, 'PATH_STATUS_GOAL_BLOCKED');
});

test('One wrong agent or position refuses the whole message', async () => {
  const world = 'whole';
  await import_rows(server.api, world, two_rooms);
  const right = agent('1', { x: 2, y: 3 }, goal);
  await refused(
    server.api.agent.UpsertAgents({ world, agents: [right, agent('2', { x: 99, y: 0 }, goal)] }),
    { status: 'INVALID_ARGUMENT', reason: 'OUT_OF_MAP' },
  );
  assert.deepEqual(await states_of({ world }), []);
  await server.api.agent.UpsertAgents({ world, agents: [right] });
  const positions = [
    { id: '1', position: { cell: { x: 5, y: 5 } } },
    { id: '2', position: { cell: { x: 99, y: 0 } } },
  ];
  await refused(server.api.agent.ReportPositions({ world, positions }), {
    status: 'INVALID_ARGUMENT',
    reason: 'OUT_OF_MAP',
    field: 'positions[1].position.cell',
  });
  const [state] = await states_of({ world });
  assert.deepEqual(state.cell, { x: 2, y: 3 }, 'nobody moved');
});

test('TestChanges tells whom a wall would cut off, and changes nothing', async () => {
  const world = 'tower';
  await import_rows(server.api, world, two_rooms);
  await server.api.agent.UpsertAgents({ world, agents: [agent('1', { x: 2, y: 3 }, goal)] });
  await settled_states(world, 1);
  const before_test = await server.api.world.GetWorld({ world });
  const wall = { id: '9', cells: { x0: 8, y0: 0, x1: 9, y1: 10 }, blocked: true };
  const answer = await server.api.world.TestChanges({
    world,
    batch: { upsert_obstacles: [wall] },
    pairs: [
      { from: { cell: { x: 1, y: 1 } }, to: { cell: goal } },
      { from: { cell: { x: 1, y: 1 } }, to: { cell: { x: 1, y: 8 } } },
    ],
  });
  assert.deepEqual(answer.pairs, [
    { connected_before: true, connected_after: false },
    { connected_before: true, connected_after: true },
  ]);
  assert.deepEqual(answer.affected_agents, ['1']);
  assert.deepEqual(answer.cut_off_agents, ['1']);
  const after_test = await server.api.world.GetWorld({ world });
  assert.equal(after_test.state_hash, before_test.state_hash);
  assert.equal(after_test.revision, before_test.revision);
});

// The effects of a batch of changes on a world, seen through paths: atomic, safe to repeat,
// counted.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { refused } from './decode.mjs';
import { close_to } from './grid.mjs';
import { start_server } from './server.mjs';
import { apply } from './worlds.mjs';

let server;
let api;
before(async () => {
  server = await start_server();
  api = server.api;
});
after(() => server.stop());

const rect = (x0, y0, x1, y1) => ({ x0, y0, x1, y1 });

async function corridor(name, more = {}) {
  await api.world.CreateWorld({ name, width: 6, height: 1, ...more });
}

// Returns the cost of a walk along the corridor, from its first cell to its last.
async function walk(world, walker = {}) {
  const { path } = await api.path.FindPath({
    world,
    from: { cell: { x: 0, y: 0 } },
    goals: [{ cell: { x: 5, y: 0 } }],
    walker,
  });
  return path;
}

test('A repeated request_id gets the first answer, and changes nothing again', async () => {
  await corridor('repeat');
  const request = {
    world: 'repeat',
    request_id: 'once',
    batch: { upsert_obstacles: [{ id: 1, cells: rect(2, 0, 3, 1), blocked: true }] },
  };
  const first = await api.world.ApplyChanges(request);
  await apply(api, 'repeat', { remove_obstacles: [1] });
  const again = await api.world.ApplyChanges(request);
  assert.deepEqual(again, { ...first, repeated_request: true });
  const { revision, obstacles } = await api.world.GetWorld({ world: 'repeat' });
  assert.deepEqual([revision, obstacles], ['3', '0']);
});

test('Making the same world again is no fault, another one of its name is', async () => {
  await corridor('same');
  await corridor('same');
  await refused(api.world.CreateWorld({ name: 'same', width: 7, height: 1 }), {
    status: 'ALREADY_EXISTS',
  });
  assert.equal((await api.world.GetWorld({ world: 'same' })).width, 6);
});

test('expected_revision holds off whoever has not seen the last change', async () => {
  await corridor('expected');
  const batch = { upsert_obstacles: [{ id: 1, cells: rect(2, 0, 3, 1), blocked: true }] };
  await api.world.ApplyChanges({ world: 'expected', batch, expected_revision: 1 });
  await refused(api.world.ApplyChanges({ world: 'expected', batch, expected_revision: 1 }), {
    status: 'ABORTED',
    reason: 'REVISION_MISMATCH',
  });
});

test('A batch with one wrong entry changes nothing', async () => {
  await corridor('atomic');
  const right = { id: 1, cells: rect(2, 0, 3, 1), blocked: true };
  const old_world = await api.world.GetWorld({ world: 'atomic' });
  await refused(apply(api, 'atomic', { upsert_obstacles: [right], remove_obstacles: [9] }), {
    status: 'NOT_FOUND',
    reason: 'OBSTACLE_UNKNOWN',
    field: 'batch.remove_obstacles[0]',
  });
  const { revision, state_hash, obstacles } = await api.world.GetWorld({ world: 'atomic' });
  assert.deepEqual([revision, state_hash, obstacles], ['1', old_world.state_hash, '0']);
  assert.equal((await walk('atomic')).status, 'PATH_STATUS_COMPLETE');
});

test('Removing one of two overlapping obstacles does not open what the other covers', async () => {
  await corridor('overlap');
  const wide = { id: 1, cells: rect(1, 0, 4, 1), blocked: true };
  const narrow = { id: 2, cells: rect(2, 0, 3, 1), blocked: true };
  await apply(api, 'overlap', { upsert_obstacles: [wide, narrow] });
  await apply(api, 'overlap', { remove_obstacles: [1] });
  assert.equal((await walk('overlap')).status, 'PATH_STATUS_UNREACHABLE');
  await apply(api, 'overlap', { remove_obstacles: [2] });
  assert.equal((await walk('overlap')).status, 'PATH_STATUS_COMPLETE');
});

test('A door is shut for the teams of its mask, and for nobody while it is disabled', async () => {
  await corridor('teams');
  const door = { id: 1, cells: rect(2, 0, 3, 1), blocked: true, team_mask: 0b10 };
  await apply(api, 'teams', { upsert_obstacles: [door] });
  assert.equal((await walk('teams', { team: 1 })).status, 'PATH_STATUS_UNREACHABLE');
  assert.equal((await walk('teams', { team: 0 })).status, 'PATH_STATUS_COMPLETE');
  await apply(api, 'teams', { switch_obstacles: [{ id: 1, enabled: false }] });
  assert.equal((await walk('teams', { team: 1 })).status, 'PATH_STATUS_COMPLETE');
});

test('A step costs its length times the mean of the factors of both cells', async () => {
  await corridor('factors', { cell_size: 2 });
  await apply(api, 'factors', {
    upsert_obstacles: [{ id: 1, cells: rect(2, 0, 3, 1), cost_factor: 7 }],
  });
  close_to((await walk('factors')).cost, 2 * (1 + 4 + 4 + 1 + 1), 'cost');
});

test('Factors of overlapping obstacles multiply, up to 1000', async () => {
  await corridor('product');
  const slow = (id, cost_factor) => ({ id, cells: rect(2, 0, 3, 1), cost_factor });
  await apply(api, 'product', { upsert_obstacles: [slow(1, 5), slow(2, 4)] });
  close_to((await walk('product')).cost, 3 + 2 * 10.5, 'cost under 5 and 4');
  await apply(api, 'product', { upsert_obstacles: [slow(2, 900)] });
  close_to((await walk('product')).cost, 3 + 2 * 500.5, 'cost under 5 and 900');
});

test('Influence makes cells dearer for one team, in layers that fade when told to', async () => {
  await corridor('danger', { cell_size: 2 });
  const edit = (layer, change) => ({ cells: rect(2, 0, 3, 1), team: 1, layer, ...change });
  const cost = async (team) => (await walk('danger', { team })).cost;
  await apply(api, 'danger', { influence_edits: [edit(0, { add: 64 }), edit(0, { add: 128 })] });
  close_to(await cost(1), 2 * (3 + 2.5 + 2.5), 'cost at level 192, factor 4');
  close_to(await cost(0), 2 * 5, 'cost for another team');
  await apply(api, 'danger', { influence_edits: [edit(5, { set: 32 })] });
  close_to(await cost(1), 2 * (3 + 3.5 + 3.5), 'cost with a factor of 1.5 on top');
  await apply(api, 'danger', { decay_influence: [{ team: 1, layer: 0, keep_permille: 336 }] });
  close_to(await cost(1), 2 * (3 + 2 * 2), 'cost at 192 * 0.336, rounded down to 64');
  await apply(api, 'danger', { decay_influence: [{ team: 1, layer: 0, keep_permille: 0 }] });
  close_to(await cost(1), 2 * (3 + 2 * 1.25), 'cost with one layer cleared');
});

test('What a team has not seen counts as free until it is revealed', async () => {
  await corridor('fog');
  const wall = { id: 1, cells: rect(2, 0, 3, 1), blocked: true };
  const status = async (team) => (await walk('fog', { team })).status;
  await apply(api, 'fog', { fog_edits: [{ cells: rect(0, 0, 6, 1), team: 1, hidden: true }] });
  await apply(api, 'fog', { upsert_obstacles: [wall] });
  assert.equal(await status(0), 'PATH_STATUS_UNREACHABLE');
  assert.equal(await status(1), 'PATH_STATUS_COMPLETE');
  const disc = { cylinder: { center: { x: 3.2, z: 0.5 }, radius: 0.5 }, team: 1 };
  await apply(api, 'fog', { fog_edits: [disc] });
  assert.equal(await status(1), 'PATH_STATUS_UNREACHABLE');
  await apply(api, 'fog', { remove_obstacles: [1] });
  assert.equal(await status(1), 'PATH_STATUS_COMPLETE', 'what was seen stays known');
});

test('Who stands is in the way of the others until it walks on', async () => {
  await corridor('standing', { options: { lockstep: true } });
  const agent = (id, more = {}) => ({
    id,
    position: { cell: { x: 2, y: 0 } },
    goals: [{ cell: { x: 5, y: 0 } }],
    ...more,
  });
  const agents = [agent(1, { stands: true }), agent(2)];
  await api.agent.UpsertAgents({ world: 'standing', agents });
  await apply(api, 'standing', { stand: [{ agent_id: 1, cells: rect(2, 0, 3, 1) }] });
  assert.equal((await walk('standing')).status, 'PATH_STATUS_UNREACHABLE');
  await api.agent.Tick({ world: 'standing', budget_work_units: 100_000 });
  const listed = await api.agent.ListAgents({ world: 'standing', with_paths: true });
  const status = (at) => listed.agents[at].verdict.path.status;
  assert.equal(status(0), 'PATH_STATUS_COMPLETE', 'its own body is not in its way');
  assert.equal(status(1), 'PATH_STATUS_START_BLOCKED', 'but in that of another');
  await apply(api, 'standing', { walk_on: [1] });
  assert.equal((await walk('standing')).status, 'PATH_STATUS_COMPLETE');
});

test('Profiles see the same ground each in its own way', async () => {
  const profiles = [
    { name: 'boots', terrain_rules: [{ terrain_class: 'swamp', factor: 3 }] },
    { name: 'cat', terrain_rules: [{ terrain_class: 'swamp', forbidden: true }] },
    { name: 'boat', terrain_rules: [{ terrain_class: 'water', factor: 1 }] },
  ];
  await corridor('profiles', { profiles });
  const edit = (x, terrain_class) => ({ cells: rect(x, 0, x + 1, 1), terrain_class });
  await apply(api, 'profiles', { terrain_edits: [edit(2, 'swamp')] });
  close_to((await walk('profiles')).cost, 5, 'cost of the default');
  close_to((await walk('profiles', { profile: 'boots' })).cost, 7, 'cost in boots');
  assert.equal((await walk('profiles', { profile: 'cat' })).status, 'PATH_STATUS_UNREACHABLE');
  await apply(api, 'profiles', { terrain_edits: [edit(4, 'water')] });
  assert.equal((await walk('profiles')).status, 'PATH_STATUS_UNREACHABLE');
  close_to((await walk('profiles', { profile: 'boat' })).cost, 5, 'cost by boat');
});

test('Topology and corner rule decide which diagonals there are', async () => {
  const world = 'corners';
  await api.world.CreateWorld({
    name: world,
    width: 2,
    height: 2,
    profiles: [
      { name: 'four', topology: 'TOPOLOGY_4' },
      { name: 'strict', topology: 'TOPOLOGY_8', corner_rule: 'CORNER_RULE_NONE' },
      { name: 'lax', topology: 'TOPOLOGY_8', corner_rule: 'CORNER_RULE_ONE' },
    ],
  });
  const cost = async (profile) => {
    const from = { cell: { x: 0, y: 0 } };
    const goals = [{ cell: { x: 1, y: 1 } }];
    const { path } = await api.path.FindPath({ world, from, goals, walker: { profile } });
    return path.status === 'PATH_STATUS_COMPLETE' ? path.cost : Infinity;
  };
  close_to(await cost('four'), 2, 'four neighbours');
  close_to(await cost('strict'), Math.SQRT2, 'a free diagonal');
  await apply(api, world, {
    upsert_obstacles: [{ id: 1, cells: rect(1, 0, 2, 1), blocked: true }],
  });
  close_to(await cost('strict'), 2, 'round the corner');
  close_to(await cost('lax'), Math.SQRT2, 'past one free flank');
  await apply(api, world, {
    upsert_obstacles: [{ id: 2, cells: rect(0, 1, 1, 2), blocked: true }],
  });
  assert.equal(await cost('lax'), Infinity);
});

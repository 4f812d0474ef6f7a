// A floor plan of two storeys and a waypoint graph, with the same calls as a grid. The expected
// lengths are computed here, from the plan.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { refused } from './decode.mjs';
import { start_server } from './server.mjs';
import { Session } from './session.mjs';
import { apply, broken_and_replanned, import_parts } from './worlds.mjs';

let server;
let api;
before(async () => {
  server = await start_server();
  api = server.api;
});
after(() => server.stop());

// A hall of 20 x 10 with a wall from (9, 0) to (10, 7), and a gallery above it; a stair joins them.
const house = JSON.stringify({
  floors: [
    { y: 0, outer: [[0, 0], [20, 0], [20, 10], [0, 10]], holes: [[[9, 1], [10, 1], [10, 7], [9, 7]]] },
    { y: 4, outer: [[0, 0], [20, 0], [20, 10], [0, 10]] },
  ],
  links: [{ id: 5, from_floor: 0, from: [19, 9], to_floor: 1, to: [19, 5], both: true }],
});
// A square of streets; the path 1, 2, 3 costs 20, the path 1, 4, 3 costs 25.
const streets = JSON.stringify({
  nodes: [
    { id: 1, position: [0, 0, 0] },
    { id: 2, position: [10, 0, 0] },
    { id: 3, position: [10, 0, 10] },
    { id: 4, position: [0, 0, 10] },
  ],
  edges: [
    { from: 1, to: 2 },
    { from: 2, to: 3 },
    { from: 1, to: 4, cost: 15 },
    { from: 4, to: 3 },
  ],
});

const at = (x, y, z) => ({ position: { x, y, z } });
const import_routes = (name, text, format, more = {}, header = {}) =>
  api.world.ImportWorld(import_parts({ name, ...more }, text, format, header));
const find = (world, from, to, more = {}) =>
  api.path.FindPath({ world, from, goals: [to], ...more });
const close = (a, b) => assert.ok(Math.abs(a - b) < 1e-6, `${a} is not ${b}`);

// Returns [x, y, z] of each waypoint.
function points(path) {
  const list = [];
  for (let i = 0; i < path.positions.length; i += 3) list.push(path.positions.slice(i, i + 3));
  return list;
}

// Round the wall's far end, (9, 7) and (10, 7).
const round_the_wall = Math.hypot(6, 3) + 1 + Math.hypot(7, 3);

test('A path on a mesh bends at corners and says what its waypoints are', async () => {
  const world = await import_routes('bends', house, 'MAP_FORMAT_FLOOR_PLAN');
  assert.deepEqual([world.kind, world.width, world.bounds_max.x], ['navmesh', 0, 20]);
  const { path } = await find('bends', at(3, 0, 4), at(17, 0, 4));
  assert.equal(path.optimality, 'OPTIMALITY_OPTIMAL');
  // The path round the other end, past (9, 1) and (10, 1), is equally long.
  close(path.cost, round_the_wall);
  assert.equal(points(path).length, 4);
  assert.deepEqual(path.flags, [1, 0, 0, 2]);
  assert.deepEqual(path.cells, []);
});

test('A link leads upstairs; switched off nothing does', async () => {
  await import_routes('stairs', house, 'MAP_FORMAT_UNSPECIFIED');
  const up = (await find('stairs', at(19, 0, 9), at(19, 4, 5))).path;
  assert.equal(up.status, 'PATH_STATUS_COMPLETE');
  const over = up.flags.findIndex((flags) => (flags & 4) !== 0);
  assert.equal(Number(up.links[over]), 5);
  assert.deepEqual(points(up)[over + 1], [19, 4, 5]);
  close(up.cost, 4);
  await apply(api, 'stairs', { switch_links: [{ id: '5', enabled: false }] });
  const none = (await find('stairs', at(19, 0, 9), at(19, 4, 5))).path;
  assert.equal(none.status, 'PATH_STATUS_UNREACHABLE');
  await refused(
    apply(api, 'stairs', { switch_links: [{ id: '6', enabled: false }] }),
    { status: 'NOT_FOUND', reason: 'LINK_UNKNOWN' });
});

test('A crate on the way is INVALIDATED and REPLANNED; gone again, IMPROVED', async () => {
  await import_routes('crate', house, 'MAP_FORMAT_FLOOR_PLAN');
  const session = await Session.open(api, { world: 'crate', session_id: 'crate.session' });
  session.send({
    upsert: {
      agents: [
        { id: '1', position: at(3, 0, 9), goals: [at(17, 0, 9)] },
        { id: '2', position: at(3, 4, 9), goals: [at(17, 4, 9)] }, // Upstairs, so not affected.
      ],
    },
  });
  await session.settled(1);
  close(session.latest.get('1').path.cost, 14);
  const crate = {
    id: '7',
    box: { center: { x: 5, z: 9 }, half_x: 1, half_z: 1 },
    blocked: true,
    bottom: -1,
    top: 1,
  };
  await apply(api, 'crate', { upsert_obstacles: [crate] });
  await session.settled(2);
  const told = session.events.filter(({ revision }) => revision === '2');
  assert.ok(told.every(({ agent_id }) => agent_id === '1'));
  const [broken, replanned] = broken_and_replanned(told);
  if (broken) assert.deepEqual(broken.cause_obstacles, ['7']);
  // The crate reaches the wall of the hall: the path goes below it, over (4, 8) and (6, 8).
  close(replanned.path.cost, Math.hypot(1, 1) + 2 + Math.hypot(11, 1));
  await apply(api, 'crate', { remove_obstacles: ['7'] });
  await session.settled(3);
  assert.equal(session.latest.get('1').type, 'EVENT_TYPE_IMPROVED');
  close(session.latest.get('1').path.cost, 14);
  session.stream.cancel();
});

test('A graph is edited: prices, switches, edges', async () => {
  const world = await import_routes('streets', streets, 'MAP_FORMAT_GRAPH');
  assert.equal(world.kind, 'graph');
  const way = async () => {
    const { path } = await find('streets', at(0, 0, 0), at(10, 0, 10));
    return [path.cost, path.nodes.map(Number)];
  };
  assert.deepEqual(await way(), [20, [1, 2, 3]]);
  const edit = (one) => apply(api, 'streets', { graph_edits: [one] });
  await edit({ set_cost: { from: '1', to: '2', cost: 17 } });
  assert.deepEqual(await way(), [25, [1, 4, 3]]);
  await edit({ switch_node: { id: '4', enabled: false } });
  assert.deepEqual(await way(), [27, [1, 2, 3]]);
  await edit({ set_edge: { from: '1', to: '3', cost: 4 } });
  assert.deepEqual(await way(), [4, [1, 3]]);
  await refused(edit({ remove_edge: { from: '3', to: '1' } }), { status: 'NOT_FOUND', reason: 'EDGE_UNKNOWN' });
  // A ladder beside the road, which is cheaper but narrow.
  await apply(api, 'streets', { add_profiles: [{ name: 'cart', radius: 0.6 }] });
  await edit({ set_edge: { from: '1', to: '3', cost: 3, key: 7, width: 1.199 } });
  const keys_of = async (profile) => {
    const { path } = await find('streets', at(0, 0, 0), at(10, 0, 10), { walker: { profile } });
    return [path.cost, path.edge_keys];
  };
  assert.deepEqual(await keys_of('default'), [3, [7, 0]]);
  assert.deepEqual(await keys_of('cart'), [4, []]);
  await edit({ set_edge: { from: '1', to: '3', cost: 3, key: 7, width: 1.2 } });
  assert.deepEqual(await keys_of('cart'), [3, [7, 0]]);
  await edit({ switch_edge: { from: '1', to: '3', key: 7, enabled: false } });
  assert.deepEqual(await keys_of('default'), [4, []]);
  await refused(edit({ set_cost: { from: '1', to: '3', key: 8, cost: 1 } }), { status: 'NOT_FOUND', reason: 'EDGE_UNKNOWN' });
  await refused(edit({ set_edge: { from: '1', to: '3', key: 256 } }), { status: 'INVALID_ARGUMENT', reason: 'OUT_OF_RANGE' });
  await refused(edit({ set_edge: { from: '1', to: '3', width: -1 } }), { status: 'INVALID_ARGUMENT', reason: 'OUT_OF_RANGE' });
});

test('Points of visibility are the corners of obstacles', async () => {
  const holes = [[[4, 2], [6, 2], [6, 8], [4, 8]]];
  const points = [{ id: 5, position: [0, 5] }, { id: 9, position: [10, 5] }];
  const text = JSON.stringify({ radius: 0, holes, points });
  const world = await import_routes('corners', text, 'MAP_FORMAT_UNSPECIFIED');
  assert.equal(world.kind, 'graph');
  const { path } = await find('corners', at(0, 0, 5), at(10, 0, 5));
  close(path.cost, 2 + 2 * Math.hypot(4, 3));
  assert.equal(path.nodes.length, 4);
  await apply(api, 'corners', { graph_edits: [{ switch_node: { id: path.nodes[1], enabled: false } }] });
  const { path: other } = await find('corners', at(0, 0, 5), at(10, 0, 5));
  close(other.cost, 2 + 2 * Math.hypot(4, 3));
  assert.notEqual(other.nodes[1], path.nodes[1]);
  const blocked = JSON.stringify({ radius: 1, holes, points: [{ position: [3.5, 5] }] });
  await refused(import_routes('none', blocked, 'MAP_FORMAT_VISIBILITY'), {
    status: 'INVALID_ARGUMENT',
    reason: 'POINT_BLOCKED',
  });
});

test('Waypoints are linked where they see one another', async () => {
  const nodes = [[0.5, 1.5], [0.5, 0.5], [3.5, 0.5], [3.5, 1.5]].map(([x, z], i) => ({
    id: i + 1,
    position: [x, 0, z],
  }));
  const ground = { map: '....\n.##.\n....\n' };
  const text = JSON.stringify({ link_distance: 3, nodes, ...ground });
  const world = await import_routes('sight', text, 'MAP_FORMAT_UNSPECIFIED');
  assert.equal(world.kind, 'graph');
  const { path } = await find('sight', at(0.5, 0, 1.5), at(3.5, 0, 1.5));
  assert.deepEqual(path.nodes.map(Number), [1, 2, 3, 4]);
  close(path.cost, 5);
  for (const [more, reason] of [
    [{ link_distance: 0 }, 'JSON_FIELD'],
    [{ link_distance: 10_001 }, 'JSON_FIELD'],
    [{ plan: {} }, 'JSON_FIELD'],
    [{ nodes: [{ id: 1, position: [1.5, 0, 1.5] }] }, 'NODE_BLOCKED'],
    [{ nodes: [nodes[0], nodes[0]] }, 'NODE_ID'],
  ]) {
    const broken = JSON.stringify({ link_distance: 3, nodes, ...ground, ...more });
    await refused(import_routes('none', broken, 'MAP_FORMAT_SIGHT'), {
      status: 'INVALID_ARGUMENT',
      reason,
    });
  }
});

test('TestChanges says of a tower on a mesh whom it would send round and whom it would cut off', async () => {
  await import_routes('tower', house, 'MAP_FORMAT_FLOOR_PLAN');
  const session = await Session.open(api, { world: 'tower', session_id: 'tower.session' });
  session.send({
    upsert: {
      agents: [
        { id: '1', position: at(3, 0, 9), goals: [at(17, 0, 9)] },
        { id: '2', position: at(2, 0, 2), goals: [at(4, 0, 2)] },
      ],
    },
  });
  await session.settled(1);
  const tower = (half_z) => ({
    upsert_obstacles: [
      { id: '7', box: { center: { x: 7, z: 8.5 }, half_x: 0.5, half_z }, blocked: true, bottom: -1, top: 1 },
    ],
  });
  const pairs = [{ from: at(1, 0, 5), to: at(19, 0, 5) }];
  const ask = (batch) => api.world.TestChanges({ world: 'tower', batch, pairs });
  const round = await ask(tower(1));
  assert.deepEqual([round.affected_agents, round.cut_off_agents], [['1'], []]);
  assert.deepEqual(round.pairs, [{ connected_before: true, connected_after: true }]);
  const shut = await ask(tower(20));
  assert.deepEqual([shut.affected_agents, shut.cut_off_agents], [['1'], ['1']]);
  assert.deepEqual(shut.pairs, [{ connected_before: true, connected_after: false }]);
  const world = await api.world.GetWorld({ world: 'tower' });
  assert.deepEqual([world.revision, world.obstacles], ['1', '0']);
  session.stream.cancel();
});

test('FindReachable gives the pieces of a mesh by what it costs to enter them', async () => {
  await import_routes('near', house, 'MAP_FORMAT_FLOOR_PLAN');
  // Where links can be used, the costs are those of paths that were found.
  const ask = (more) => api.path.FindReachable({ world: 'near', from: at(3, 0, 4), ...more });
  assert.equal((await ask({ max_cost: 5 })).optimality, 'OPTIMALITY_VALID_ONLY');
  await apply(api, 'near', { switch_links: [{ id: '5', enabled: false }] });
  const found = await ask({ max_cost: 1e6 });
  assert.deepEqual([found.status, found.optimality], ['PATH_STATUS_COMPLETE', 'OPTIMALITY_OPTIMAL']);
  assert.ok(found.costs.length > 3);
  assert.deepEqual([found.costs[0], found.previous[0]], [0, -1]);
  assert.equal(found.corner_counts.reduce((sum, n) => sum + n, 0) * 3, found.corners.length);
  for (let i = 0; i < found.costs.length; ++i) {
    const [x, y, z] = found.positions.slice(3 * i, 3 * i + 3);
    close((await find('near', at(3, 0, 4), at(x, y, z))).path.cost, found.costs[i]);
    assert.equal(y, 0, 'nothing leads upstairs');
    assert.ok(found.previous[i] < i);
  }
  const first = await ask({ max_cost: 1e6, max_cells: 2 });
  assert.equal(first.truncated, true);
  assert.deepEqual(first.costs, found.costs.slice(0, 2));
  const blocked = await ask({ from: at(9.5, 0, 4), max_cost: 5 });
  assert.deepEqual([blocked.status, blocked.costs], ['PATH_STATUS_START_BLOCKED', []]);
  await refused(ask({ from: { cell: { x: 1, y: 1 } }, max_cost: 5 }),
    { status: 'INVALID_ARGUMENT', reason: 'KIND_UNSUITED' });
});

test('FindReachable gives the nodes of a graph by cost', async () => {
  await import_routes('blocks', streets, 'MAP_FORMAT_GRAPH');
  const ask = { world: 'blocks', from: at(1, 0, 1), max_cost: 14.5 };
  const near = await api.path.FindReachable(ask);
  assert.deepEqual([near.nodes, near.costs, near.previous], [['1', '2'], [0, 10], [-1, 0]]);
  const all = await api.path.FindReachable({ ...ask, max_cost: 20 });
  assert.deepEqual([all.nodes, all.costs, all.previous],
    [['1', '2', '4', '3'], [0, 10, 15, 20], [-1, 0, 0, 1]]);
  assert.deepEqual([all.optimality, all.corners], ['OPTIMALITY_OPTIMAL', []]);
});

test('Obstacles make ground of a mesh dearer or of another area type', async () => {
  const cart = { name: 'cart', radius: 0.5, area_costs: [{ area: 3, factor: 2 }] };
  await import_routes('mud', house, 'MAP_FORMAT_FLOOR_PLAN', { profiles: [cart] });
  const across = (profile) => find('mud', at(12, 0, 5), at(18, 0, 5), { walker: { profile } });
  const box = { center: at(15, 0, 5).position, half_x: 1, half_z: 50 };
  const cost_of = async (profile) => (await across(profile)).path.cost;
  const put = (effect) =>
    apply(api, 'mud', { upsert_obstacles: [{ id: '1', box, bottom: -1, top: 1, ...effect }] });
  close(await cost_of('cart'), 6);
  await put({ cost_factor: 2.5 });
  close(await cost_of('cart'), 4 + 2 * 2.5);
  close(await cost_of('default'), 4 + 2 * 2.5);
  assert.equal((await across('cart')).path.optimality, 'OPTIMALITY_BOUNDED');
  await put({ area: 3 });
  close(await cost_of('cart'), 4 + 2 * 2);
  close(await cost_of('default'), 6);
  const shown = await api.debug.GetGround({ world: 'mud', walker: { profile: 'default' } });
  assert.ok(shown.areas.includes(3) && shown.areas.includes(0) && shown.factors.length === 0);
  // Upstairs nothing has changed; an obstacle that blocks takes all ground, whatever other effect
  // it has.
  close((await find('mud', at(12, 4, 5), at(18, 4, 5), { walker: { profile: 'cart' } })).path.cost, 6);
  await put({ blocked: true });
  assert.notEqual((await across('cart')).path.status, 'PATH_STATUS_COMPLETE');
  await refused(put({ cost_factor: 0.5 }), { status: 'INVALID_ARGUMENT', reason: 'OUT_OF_RANGE' });
  await refused(put({ area: 64 }), { status: 'INVALID_ARGUMENT', reason: 'OUT_OF_RANGE' });
  await refused(put({}), { status: 'INVALID_ARGUMENT', reason: 'EFFECT_MISSING' });
});

test('Walls keep agents off that are wider than the mesh was made for', async () => {
  const truck = { name: 'truck', radius: 2 };
  const across = (world, profile) => find(world, at(3, 0, 5), at(16, 0, 5), { walker: { profile } });
  await import_routes('bare', house, 'MAP_FORMAT_FLOOR_PLAN', { profiles: [truck] });
  const made_for = { base_radius: 2 };
  await import_routes('wide', house, 'MAP_FORMAT_FLOOR_PLAN', { profiles: [truck] }, made_for);
  assert.equal((await api.world.GetWorld({ world: 'wide' })).base_radius, 2);
  const walked = await across('bare', 'default');
  close((await across('wide', 'truck')).path.cost, walked.path.cost);
  assert.notEqual((await across('bare', 'truck')).path.status, 'PATH_STATUS_COMPLETE');
  // A cart that comes later gets its ground as well.
  await apply(api, 'bare', { add_profiles: [{ name: 'cart', radius: 1 }] });
  assert.ok((await across('bare', 'cart')).path.cost > walked.path.cost + 0.5);
  const shown = await api.debug.GetGround({ world: 'bare', walker: { profile: 'cart' } });
  const inside = shown.corners.filter((_, i) => i % 3 === 0);
  assert.ok(Math.min(...inside) > 0.99 && Math.max(...inside) < 19.01);
});

test('What only grids have is refused by name', async () => {
  await import_routes('kinds', house, 'MAP_FORMAT_FLOOR_PLAN');
  const cells = { x0: 1, y0: 1, x1: 2, y1: 2 };
  const unsuited = (call) => refused(call, { status: 'INVALID_ARGUMENT', reason: 'KIND_UNSUITED' });
  await unsuited(apply(api, 'kinds', { upsert_obstacles: [{ id: '1', cells, blocked: true }] }));
  await unsuited(apply(api, 'kinds', { terrain_edits: [{ cells, terrain_class: 'ground' }] }));
  await unsuited(apply(api, 'kinds', { graph_edits: [{ remove_node: '1' }] }));
  await unsuited(find('kinds', { cell: { x: 1, y: 1 } }, at(3, 0, 3)));
  const crowd = { penalty: 1, radius: 4, max_detour: 0.5 };
  const walker = { id: '1', position: at(3, 0, 3), goals: [at(5, 0, 3)], crowd };
  await unsuited(api.agent.UpsertAgents({ world: 'kinds', agents: [walker] }));
});

test('An agent that turns in curves gets arcs, and needs a turning radius', async () => {
  const car = { name: 'car', turning_radius: 0.5 };
  await import_routes('turns', house, 'MAP_FORMAT_FLOOR_PLAN', { profiles: [car] });
  const walker = { id: '1', position: at(3, 0, 5), goals: [at(17, 0, 5)], curves: true };
  const upsert = (agent) => api.agent.UpsertAgents({ world: 'turns', agents: [agent] });
  await refused(upsert(walker), {
    status: 'INVALID_ARGUMENT',
    reason: 'SMOOTHING_UNSUITED',
    field: 'agents[0].curves',
  });
  await upsert({ ...walker, profile: 'car' });
  let state;
  for (let look = 0; look < 400 && (!state || state.waiting); ++look) {
    [state] = (await api.agent.ListAgents({ world: 'turns', with_paths: true })).agents;
  }
  assert.equal(state.agent.curves, true);
  assert.equal(state.verdict.path.optimality, 'OPTIMALITY_BOUNDED');
  assert.equal(state.verdict.path.turn_too_tight, false);
  assert.ok(state.verdict.path.positions.length > 3 * 4);
});

test('Rays, the nearest ground and random places', async () => {
  await import_routes('looks', house, 'MAP_FORMAT_FLOOR_PLAN');
  const ray = await api.path.Raycast({ world: 'looks', from: at(5, 0, 4), to: at(15, 0, 4) });
  assert.equal(ray.hit, true);
  close(ray.position.x, 9);
  const near = await api.path.FindNearest({ world: 'looks', from: at(25, 0, 5), max_distance: 9 });
  close(near.distance, 5);
  const one = { world: 'looks', near: at(5, 0, 5), radius: 2, seed: '3' };
  const place = await api.path.FindRandomPoint(one);
  assert.ok(Math.hypot(place.position.x - 5, place.position.z - 5) <= 2);
  assert.deepEqual(await api.path.FindRandomPoint(one), place);
  const grid = await api.world.ImportWorld(import_parts({ name: 'grid' }, '...\n.#.\n...\n'));
  const { cell } = await api.path.FindRandomPoint({ world: grid.name, seed: '1' });
  assert.notDeepEqual(cell, { x: 1, y: 1 });
});

test('CheckPath walks a route again', async () => {
  await import_routes('checks', house, 'MAP_FORMAT_FLOOR_PLAN');
  const { path } = await find('checks', at(3, 0, 9), at(17, 0, 9));
  const ask = { world: 'checks', positions: path.positions, check_optimal: true };
  const good = await api.path.CheckPath(ask);
  assert.deepEqual([good.valid, good.optimal], [true, true]);
  close(good.cost, 14);
  const through = [3, 0, 4, 17, 0, 4];
  const bad = await api.path.CheckPath({ world: 'checks', positions: through });
  assert.deepEqual([bad.valid, bad.first_invalid_waypoint], [false, 1]);
});

test('The ground is shown, and what an obstacle takes', async () => {
  await import_routes('shown', house, 'MAP_FORMAT_FLOOR_PLAN');
  const ground = await api.debug.GetGround({ world: 'shown' });
  assert.equal(
    ground.corner_counts.reduce((sum, n) => sum + n, 0) * 3,
    ground.corners.length,
  );
  assert.equal(ground.links.length, 1);
  const box = { center: { x: 2, z: 3 }, half_x: 1, half_z: 0.5 };
  const { rings } = await api.debug.GrowObstacle({ obstacle: { box } });
  assert.deepEqual(new Set(rings[0].xz.map(String)), new Set(['1', '3', '2.5', '3.5']));
});

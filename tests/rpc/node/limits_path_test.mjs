// Every field of PathService's and DebugService's requests at its limits and past them.
import { after, before, test } from 'node:test';
import { no_path_rows, one_way_rows } from './options_rows.mjs';
import {
  all_inside,
  here,
  map,
  query_rows,
  repeat,
  right_query,
  there,
  world,
} from './rows.mjs';
import { start_server } from './server.mjs';
import {
  accept,
  check_table,
  min_revision,
  place,
  profile_of,
  real,
  refuse,
  refuse_all,
  sender,
  team,
  whole,
  world_of,
} from './table.mjs';

let server;
let api;
before(async () => {
  server = await start_server();
  api = server.api;
  await api.world.CreateWorld({ name: world, ...map });
});
after(() => server.stop());

const rect = (x0, y0, x1, y1) => ({ x0, y0, x1, y1 });
const area_rows = [
  accept('area', rect(0, 0, 1, 1), rect(-5, -5, 2 ** 31 - 1, 2 ** 31 - 1)),
  refuse_all('area', [
    rect(3, 1, 1, 3),
    rect(2, 2, 2, 3),
    rect(16, 0, 20, 1),
    rect(0, -(2 ** 31), 1, 0),
  ]),
].flat();
const walker_rows = [profile_of('walker.profile'), team('walker.team')].flat();

function check(method, request, rows) {
  return check_table({ api, send: sender(method), request, rows, reads: true });
}

test('FindPath', () =>
  check(api.path.FindPath, () => right_query, [
    world_of(),
    query_rows,
    min_revision('options.min_revision'),
  ]));

test('FindPaths', () => {
  const { from, goals } = right_query;
  return check(api.path.FindPaths, () => ({ world, requests: [{ from, goals }] }), [
    world_of(),
    all_inside('requests[0]', query_rows),
    accept('requests[0].world', '', world),
    refuse('requests[0].world', 'other'),
    refuse('requests[0].options.min_revision', 1),
    refuse('requests', []),
    accept(
      'requests',
      repeat(1024, () => ({ from, goals })),
    ),
    refuse(
      'requests',
      repeat(1025, () => ({ from, goals })),
    ),
    refuse(
      'requests',
      [
        { from, goals },
        { from, goals, walker: { team: 32 } },
      ],
      { field: 'requests[1].walker.team' },
    ),
    min_revision(),
  ]);
});

test('FindPaths: more than an answer may hold', async () => {
  await api.world.CreateWorld({ name: 'long', width: 300, height: 1 });
  const request = {
    from: { cell: { x: 0, y: 0 } },
    goals: [{ cell: { x: 299, y: 0 } }],
    options: { every_cell: true },
  };
  await check(api.path.FindPaths, () => ({ world: 'long', requests: [] }), [
    accept(
      'requests',
      repeat(100, () => request),
    ),
    refuse(
      'requests',
      repeat(1024, () => request),
      { status: 'RESOURCE_EXHAUSTED', field: undefined },
    ),
  ]);
});

test('FindNearest', () =>
  check(api.path.FindNearest, () => right_query, [
    world_of(),
    place('from', map),
    place('goals[0]', map),
    accept(
      'goals',
      [],
      repeat(1024, () => there),
    ),
    refuse(
      'goals',
      repeat(1025, () => there),
    ),
    walker_rows,
    one_way_rows,
    min_revision('options.min_revision'),
    refuse('max_distance', 1, { reason: 'OPTIONS_CONFLICT' }),
  ]));

test('FindNearest without goals', () =>
  check(api.path.FindNearest, () => ({ world, from: here }), [
    real('max_distance', 0, 4096 * map.cell_size),
    min_revision('options.min_revision'),
    ['algorithm', 'max_expansions', 'every_cell', 'max_waypoints'].map((name) =>
      refuse(`options.${name}`, 1, { reason: 'OPTIONS_CONFLICT' }),
    ),
  ]));

test('FindReachable', () =>
  check(api.path.FindReachable, () => ({ world, from: here, max_cost: 5 }), [
    world_of(),
    place('from', map),
    accept('max_cost', 0, 1e6, 1e300),
    refuse_all('max_cost', [NaN, Infinity, -Infinity, -1e-9, -1]),
    walker_rows,
    min_revision(),
    whole('max_cells', 0, 100_000),
    refuse('max_cells', 2 ** 32 - 1),
  ]));

test('FindAway', () =>
  check(api.path.FindAway, () => ({ world, from: here, threats: [there], distance: 6 }), [
    world_of(),
    place('from', map),
    place('threats[0]', map),
    refuse('threats', []),
    accept(
      'threats',
      repeat(64, () => there),
    ),
    refuse(
      'threats',
      repeat(65, () => there),
    ),
    real('distance', 0, 32_768 * map.cell_size),
    walker_rows,
    one_way_rows,
    min_revision('options.min_revision'),
    accept('allow_partial', true),
    accept('snap_start', true),
  ]));

test('GetFlowField', async () => {
  const flow = (name) => () => ({ world: name, goals: [there] });
  await check(api.path.GetFlowField, flow(world), [
    world_of(),
    place('goals[0]', map),
    refuse('goals', []),
    accept(
      'goals',
      repeat(64, () => there),
    ),
    refuse(
      'goals',
      repeat(65, () => there),
    ),
    real('goal_radius', 0, 64 * map.cell_size),
    area_rows,
    walker_rows,
    min_revision(),
    accept('max_expansions', 0, 1),
    refuse('max_cost', 1, { reason: 'KIND_UNSUITED' }),
    refuse('first_piece', 1, { reason: 'KIND_UNSUITED' }),
    refuse('max_pieces', 1, { reason: 'KIND_UNSUITED' }),
  ]);
  await api.world.CreateWorld({ name: 'wide', width: 1000, height: 401 });
  await check(api.path.GetFlowField, flow('wide'), [
    accept('area', rect(0, 1, 1000, 401)),
    refuse_all('area', [undefined, rect(0, 0, 1000, 401)], { reason: 'AREA_TOO_LARGE' }),
  ]);
});

test('FindPlacements', async () => {
  const towers = (name) => () => ({ world: name, width: 2, height: 3 });
  await check(api.path.FindPlacements, towers(world), [
    world_of(),
    area_rows,
    whole('width', 1, 64),
    whole('height', 1, 64),
    walker_rows,
    min_revision(),
    accept('max_expansions', 0, 1),
  ]);
  await api.world.CreateWorld({ name: 'widest', width: 1025, height: 1024 });
  await check(api.path.FindPlacements, towers('widest'), [
    accept('area', rect(1, 0, 1025, 1024)),
    refuse_all('area', [undefined, rect(0, 0, 1025, 1024)], { reason: 'AREA_TOO_LARGE' }),
  ]);
});

test('Raycast', () =>
  check(api.path.Raycast, () => ({ world, from: here, to: there }), [
    world_of(),
    place('from', map),
    place('to', map),
    walker_rows,
    min_revision(),
  ]));

test('CheckPath', () => {
  const there_and_back = (waypoints) => repeat(2 * waypoints, (i) => (i % 4 === 2 ? 1 : 0));
  const off_map = { reason: 'OUT_OF_MAP', field: ['cells', 'cells[2]', 'cells[3]', 'cells[1]'] };
  return check(api.path.CheckPath, () => ({ world, cells: [0, 0, 3, 3, 9, 3], check_optimal: true }), [
    world_of(),
    accept('cells', [0, 0], there_and_back(65_536)),
    refuse_all('cells', [[], [0], [0, 0, 1], there_and_back(65_537)]),
    refuse_all(
      'cells',
      [
        [0, 0, 16, 0],
        [0, 0, 0, 12],
        [0, 0, -1, 0],
        [0, 0, 0, 2 ** 31 - 1],
      ],
      off_map,
    ),
    refuse('cells', [0, 0, 3, 1], { field: ['cells', 'cells[2]', 'cells[1]'] }),
    walker_rows,
    no_path_rows,
    min_revision('options.min_revision'),
    accept('check_optimal', false),
    refuse('options', { algorithm: 1 }, { reason: 'OPTIONS_CONFLICT', field: 'options.algorithm' }),
  ]);
});

test('ExplainPath', () =>
  check(api.debug.ExplainPath, () => ({ request: right_query }), [
    refuse('request', undefined, {
      status: ['INVALID_ARGUMENT', 'NOT_FOUND'],
      field: ['request', 'request.world'],
    }),
    all_inside('request', [world_of(), query_rows, min_revision('options.min_revision')]),
    whole('max_nodes', 0, 50_000),
    refuse('max_nodes', 2 ** 32 - 1),
  ]));

test('GetStats', () => check(api.debug.GetStats, () => ({ world }), [world_of()]));

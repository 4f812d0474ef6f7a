// Every field of WorldService's unary requests at its limits and past them.
import { after, before, test } from 'node:test';
import { Ended } from './api.mjs';
import { Fault } from './decode.mjs';
import {
  accept,
  check_table,
  choice,
  name,
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
import {
  all_inside,
  batches,
  here,
  map,
  profile_rows,
  repeat,
  request_id_rows,
  right_profile,
  there,
  world,
} from './rows.mjs';
import { start_server } from './server.mjs';

let server;
let api;
before(async () => {
  server = await start_server();
  api = server.api;
  await api.world.CreateWorld({ name: world, ...map });
  const obstacle = (id) => ({ id, cells: { x0: 14, y0: 1, x1: 15, y1: 2 }, blocked: true });
  await api.world.ApplyChanges({ world, batch: { upsert_obstacles: [obstacle(1), obstacle(2)] } });
});
after(() => server.stop());

const fresh_name = (() => {
  let made = 0;
  return () => `made-${++made}`;
})();

function check(method, request, rows, more = {}) {
  return check_table({ api, send: sender(api.world[method]), request, rows, ...more });
}

test('CreateWorld: size, name, options', () =>
  check('CreateWorld', () => ({ name: fresh_name(), width: 8, height: 6 }), [
    name('name'),
    accept('name', 'a'.repeat(64), 'A-Za-z0-9_.-'),
    refuse('name', world, { status: 'ALREADY_EXISTS', field: undefined }),
    whole('width', 1, 16384),
    whole('height', 1, 16384),
    refuse_all('width', [-1, -(2 ** 31), 2 ** 31 - 1]),
    refuse_all('height', [-1, -(2 ** 31), 2 ** 31 - 1]),
    real('cell_size', 1e-3, 1e3, { zero: true }),
    real('options.frame_rate_hz', 0, 1000),
    refuse_all('options.frame_rate_hz', [-0.001]),
    whole('options.frame_budget_work_units', 64, 1e12, { zero: true }),
    whole('options.frame_budget_us', 50, 1e7, { zero: true }),
    choice('options.strategy', 5),
    whole('options.history_revisions', 1, 1e6, { zero: true }),
    whole('options.memory_limit_mb', 1, 1e6, { zero: true }),
    whole('options.first_leg_cells', 1, 1e12, { zero: true }),
    request_id_rows,
    accept('request_id', 'r'.repeat(128)),
  ]));

test('CreateWorld: profiles', () =>
  check(
    'CreateWorld',
    () => ({ name: fresh_name(), width: 8, height: 6, profiles: [right_profile] }),
    [
      all_inside('profiles[0]', profile_rows),
      accept(
        'profiles',
        repeat(63, (i) => ({ name: `p${i}` })),
      ),
      accept('profiles', [{ name: 'default' }, ...repeat(63, (i) => ({ name: `p${i}` }))]),
      refuse(
        'profiles',
        repeat(65, (i) => ({ name: `p${i}` })),
      ),
      refuse('profiles', [{ name: 'p' }, { name: 'p', topology: 'TOPOLOGY_4' }], {
        field: 'profiles[1].name',
      }),
    ],
  ));

const grass = { name: 'grass', symbol: 'g', factor: 1 };

test('CreateWorld: terrain classes', () =>
  check(
    'CreateWorld',
    () => ({ name: fresh_name(), width: 8, height: 6, terrain_classes: [grass] }),
    [
      name('terrain_classes[0].name'),
      refuse_all('terrain_classes[0].symbol', ['', 'gg', '\n', '\u00e9']),
      real('terrain_classes[0].factor', 1, 1000),
      accept(
        'terrain_classes',
        repeat(64, (i) => ({ ...grass, name: `c${i}`, symbol: String.fromCharCode(48 + i) })),
      ),
      refuse(
        'terrain_classes',
        repeat(65, (i) => ({ ...grass, name: `c${i}`, symbol: String.fromCharCode(48 + i) })),
      ),
      refuse('terrain_classes', [grass, { ...grass, symbol: 'h' }], {
        field: 'terrain_classes[1].name',
      }),
      refuse('terrain_classes', [grass, { ...grass, name: 'hay' }], {
        field: 'terrain_classes[1].symbol',
      }),
    ],
  ));

test('CreateWorld: more cells than the memory limit', () =>
  check('CreateWorld', () => ({ name: fresh_name(), width: 16384, height: 16384 }), [
    refuse('options.memory_limit_mb', 1, { status: 'RESOURCE_EXHAUSTED', field: undefined }),
  ]));

for (const [what, { batch, rows }] of Object.entries(batches)) {
  test(`ApplyChanges: ${what}`, () =>
    check('ApplyChanges', () => ({ world, batch }), all_inside('batch', rows)));
  test(`TestChanges: ${what}`, () =>
    check('TestChanges', () => ({ world, batch }), all_inside('batch', rows), { reads: true }));
}

const { batch } = batches.cells;

test('ApplyChanges: the rest of the request', () =>
  check('ApplyChanges', () => ({ world, batch }), [
    world_of(),
    request_id_rows,
    accept('request_id', 'r'.repeat(128)),
    ...[0, 1_000_000, '18446744073709551615'].map((revision) =>
      refuse('expected_revision', revision, {
        status: 'ABORTED',
        reason: 'REVISION_MISMATCH',
        field: undefined,
      }),
    ),
    accept('game_tick', 0, '18446744073709551615'),
    accept('durability', 0, 1),
    refuse('durability', 2, { status: 'FAILED_PRECONDITION', field: undefined }),
    refuse_all('durability', [3, 99, -1]),
  ]));

test('ApplyChanges: more covered cells than a batch may have', async () => {
  await api.world.CreateWorld({ name: 'wide', width: 4097, height: 4097 });
  const whole_map = { x0: 0, y0: 0, x1: 4097, y1: 4097 };
  await check('ApplyChanges', () => ({ world: 'wide', batch: {} }), [
    refuse(
      'batch',
      { upsert_obstacles: [{ id: 1, cells: whole_map, blocked: true }] },
      {
        status: ['INVALID_ARGUMENT', 'RESOURCE_EXHAUSTED'],
        field: ['batch', 'batch.upsert_obstacles[0]', 'batch.upsert_obstacles[0].cells'],
      },
    ),
  ]);
  await api.world.DeleteWorld({ world: 'wide' });
});

test('TestChanges: the rest of the request', () => {
  const pair = { from: here, to: there };
  return check(
    'TestChanges',
    () => ({ world, batch, pairs: [pair] }),
    [
      world_of(),
      place('pairs[0].from', map),
      place('pairs[0].to', map),
      profile_of('pairs[0].profile'),
      team('pairs[0].team'),
      accept(
        'pairs',
        [],
        repeat(256, () => pair),
      ),
      refuse(
        'pairs',
        repeat(257, () => pair),
      ),
      refuse('expected_revision', 0, {
        status: 'ABORTED',
        reason: 'REVISION_MISMATCH',
        field: undefined,
      }),
      whole('max_agents', 0, 10_000),
    ],
    { reads: true },
  );
});

test('GetWorld, DeleteWorld: the world', async () => {
  await check('GetWorld', () => ({ world }), [world_of()], { reads: true });
  await check('DeleteWorld', () => ({ world }), [world_of()], { reads: true });
});

test('ListWorlds: pages', () =>
  check(
    'ListWorlds',
    () => ({}),
    [whole('page_size', 0, 1000), refuse_all('page_size', [-1, 2 ** 31 - 1])],
    {
      reads: true,
    },
  ));

// Rows of a request for one page; `token` is one that the server could have given.
function page_rows(most, token) {
  return [
    world_of(),
    whole('page_size', 0, most),
    refuse_all('page_size', [-1, 2 ** 31 - 1]),
    accept('page_token', '', token),
    refuse_all('page_token', ['x', `${token}x`, `${token}9999999999999999999999`], {
      reason: 'PAGE_TOKEN',
    }),
    ...[0, 1_000_000, '18446744073709551615'].map((revision) =>
      refuse('expected_revision', revision, { status: 'ABORTED', reason: 'REVISION_MISMATCH' }),
    ),
  ];
}

test('GetTerrain', async () => {
  const { revision, epoch } = await api.world.GetWorld({ world });
  const rect = (x0, y0, x1, y1) => ({ x0, y0, x1, y1 });
  await check(
    'GetTerrain',
    () => ({ world }),
    [
      ...page_rows(1024, 'tile-0'),
      accept('area', rect(0, 0, 1, 1), rect(-5, -5, 2 ** 31 - 1, 2 ** 31 - 1)),
      refuse_all('area', [rect(3, 1, 1, 3), rect(2, 2, 2, 3), rect(16, 0, 20, 1)]),
      accept('changed_since_revision', 0, revision),
      refuse_all(
        'changed_since_revision',
        [String(Number(revision) + 1), '18446744073709551615'],
        { status: 'OUT_OF_RANGE', reason: 'REVISION_NOT_YET' },
      ),
      accept('epoch', '', epoch),
      refuse('epoch', 'other', { status: 'FAILED_PRECONDITION', reason: 'EPOCH_CHANGED' }),
      team('team'),
      accept('expected_revision', revision),
    ],
    { reads: true },
  );
});

test('ListObstacles', async () => {
  const far = [1.001e9, -1.001e9, 1e300, NaN, Infinity];
  const sides = ['min_x', 'min_z', 'max_x', 'max_z'];
  await check(
    'ListObstacles',
    () => ({ world, area: { min_x: -1e9, min_z: -1e9, max_x: 1e9, max_z: 1e9 } }),
    [
      ...page_rows(5000, 'obstacle-7'),
      accept('page_token', 'body-7'),
      ...sides.map((side) => refuse_all(`area.${side}`, far)),
      refuse('area', { min_x: 1 }, { reason: 'RECT_EMPTY' }),
      accept('area', undefined, {}),
    ],
    { reads: true },
  );
});

test('GetGraph: not of a grid', () =>
  check('GetGraph', () => ({ world }), [
    world_of(),
    refuse('page_size', 1, {
      status: 'FAILED_PRECONDITION',
      reason: 'KIND_UNSUITED',
      field: 'world',
    }),
  ]));

test('ExportWorld', () => {
  const send = async (request) => {
    const stream = api.world.ExportWorld(request);
    try {
      for (;;) await stream.next();
    } catch (error) {
      if (error instanceof Ended) return null;
      if (error instanceof Fault) return error;
      throw error;
    }
  };
  return check_table({
    api,
    send,
    request: () => ({ world }),
    reads: true,
    rows: [
      world_of(),
      accept('format', 0, 1, 2, 8),
      refuse_all('format', [3, 4, 5, 6, 7], { reason: 'KIND_UNSUITED' }),
      refuse_all('format', [9, 99, -1]),
      refuse('walker', {}, { reason: 'KIND_UNSUITED' }),
    ],
  });
});

test('ReadChanges: revisions and pages', async () => {
  const { revision, oldest_revision } = await api.world.GetWorld({ world });
  const past = { status: 'OUT_OF_RANGE', field: 'start_revision' };
  await check(
    'ReadChanges',
    () => ({ world, start_revision: oldest_revision }),
    [
      world_of(),
      accept('start_revision', oldest_revision, revision, String(Number(revision) + 1)),
      refuse_all('start_revision', [0, String(Number(revision) + 2), '18446744073709551615'], past),
      whole('page_size', 0, 1000),
      refuse_all('page_size', [-1, 2 ** 31 - 1]),
    ],
    { reads: true },
  );
});

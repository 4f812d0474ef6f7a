// Rows for messages that several requests share; the paths of fields begin at the message.
import {
  accept,
  any_id,
  name,
  not_finite,
  place,
  profile_of,
  real,
  refuse,
  refuse_all,
  team,
  whole,
} from './table.mjs';
import { conflict, options_rows, unsuited } from './options_rows.mjs';

// The world that the tables ask about. Its cells are 2 world units wide, so that a confusion of
// units shows.
export const map = { width: 16, height: 12, cell_size: 2 };
export const world = 'table';
export const here = { cell: { x: 2, y: 3 } };
export const there = { cell: { x: 12, y: 8 } };
export const max_uint64 = '18446744073709551615';

export function repeat(count, item) {
  return Array.from({ length: count }, (_, i) => item(i));
}

export const request_id_rows = [
  accept('request_id', ''),
  // 130 bytes: 65 letters of two bytes.
  refuse_all('request_id', ['r'.repeat(129), '\u00e9'.repeat(65)]),
].flat();

// A terrain class that may be unknown; the status is not fixed.
function terrain_name(path) {
  return refuse_all(path, ['', 'lava', 'a'.repeat(65)], {
    status: ['INVALID_ARGUMENT', 'NOT_FOUND'],
  });
}

export const right_profile = {
  name: 'fresh',
  terrain_rules: [{ terrain_class: 'swamp', factor: 2 }],
};

export const profile_rows = [
  name('name'),
  refuse_all('topology', [4, 99, -1]),
  accept('topology', 'TOPOLOGY_HEX'),
  not_finite('radius'),
  refuse_all('radius', [-1, 32 * map.cell_size + 0.01]),
  refuse_all('corner_rule', [3, 99, -1]),
  not_finite('terrain_rules[0].factor'),
  refuse_all('terrain_rules[0].factor', [0, 0.999, 1000.001, -1]),
  terrain_name('terrain_rules[0].terrain_class'),
  refuse('terrain_rules', [...right_profile.terrain_rules, ...right_profile.terrain_rules], {
    field: 'terrain_rules[1].terrain_class',
  }),
  refuse(
    'terrain_rules',
    repeat(257, () => right_profile.terrain_rules[0]),
  ),
].flat();

function rectangle(path) {
  const rect = (x0, y0, x1, y1) => ({ x0, y0, x1, y1 });
  const low = -(2 ** 31);
  const high = 2 ** 31 - 1;
  const inverted = [
    rect(3, 1, 1, 3),
    rect(1, 3, 3, 1),
    rect(2, 2, 2, 3),
    rect(2, 2, 3, 2),
    rect(0, 0, 0, 0),
    rect(high, 0, low, 1),
  ];
  const off_map = [rect(-3, 0, 0, 1), rect(16, 0, 20, 1), rect(0, 12, 1, 13), rect(0, low, 1, 0)];
  return [
    accept(
      path,
      rect(0, 0, 1, 1),
      rect(15, 11, 16, 12),
      rect(-5, -5, 1, 1),
      rect(15, 11, high, high),
    ),
    refuse_all(path, [...inverted, ...off_map], {
      field: [path, `${path}.x0`, `${path}.y0`, `${path}.x1`, `${path}.y1`],
    }),
  ].flat();
}

function point(path) {
  return ['x', 'y', 'z'].flatMap((axis) =>
    refuse_all(`${path}.${axis}`, [NaN, Infinity, -Infinity, 1.001e9, -1.001e9]),
  );
}

function round_polygon(corners) {
  const angles = repeat(corners, (i) => (2 * Math.PI * i) / corners);
  return angles.flatMap((angle) => [9 + 4 * Math.cos(angle), 9 + 4 * Math.sin(angle)]);
}

const square = [4, 4, 8, 4, 8, 8, 4, 8];

// The error may name a number, the list, or the shape.
function polygon(path) {
  const spoilt = (at, value) => square.map((number, i) => (i === at ? value : number));
  return [
    accept(`${path}.xz`, square, square.slice(0, 6), [...square].reverse(), round_polygon(256)),
    refuse_all(
      `${path}.xz`,
      [
        [],
        square.slice(0, 4),
        square.slice(0, 7),
        round_polygon(257),
        [4, 4, 8, 8, 8, 4, 4, 8],
        [4, 4, 6, 6, 8, 8],
        [4, 4, 4, 4, 4, 4],
        [4, 4, 8, 4, 8, 4, 4, 8],
        spoilt(0, NaN),
        spoilt(3, Infinity),
        spoilt(7, -Infinity),
        spoilt(2, 1.001e9),
        spoilt(5, -1.001e9),
      ],
      { field: [path, `${path}.xz`, ...square.map((_, i) => `${path}.xz[${i}]`)] },
    ),
  ].flat();
}

const extent_max = 32768 * map.cell_size;
const cells = { x0: 1, y0: 1, x1: 3, y1: 3 };
const center = { x: 9, z: 9 };
const edit = { cells: { x0: 4, y0: 4, x1: 6, y1: 6 }, terrain_class: 'swamp' };
const on_cells = (id) => ({ id, cells, blocked: true });
const too_many = { status: ['INVALID_ARGUMENT', 'RESOURCE_EXHAUSTED'] };
const no_obstacle = { status: 'NOT_FOUND', reason: 'OBSTACLE_UNKNOWN' };

// An id that a batch has twice; the error may name either place.
function twice(batch) {
  const field = Object.keys(batch).flatMap((list) =>
    [0, 1].flatMap((i) => [`${list}[${i}]`, `${list}[${i}].id`]),
  );
  return refuse('', batch, { field });
}

// Right batches, each with the rows that spoil it. The world has an obstacle 1 and no obstacle 404.
export const batches = {
  cells: {
    batch: { upsert_obstacles: [on_cells(7)] },
    rows: [
      any_id('upsert_obstacles[0].id'),
      refuse('upsert_obstacles[0].cells', undefined, {
        field: ['upsert_obstacles[0]', 'upsert_obstacles[0].shape'],
      }),
      rectangle('upsert_obstacles[0].cells'),
      refuse('upsert_obstacles[0].blocked', undefined, {
        field: ['upsert_obstacles[0]', 'upsert_obstacles[0].effect'],
      }),
      refuse('upsert_obstacles[0].blocked', false),
      real('upsert_obstacles[0].cost_factor', 1, 1000),
      accept('upsert_obstacles[0].team_mask', 0, 1, 2 ** 32 - 1),
    ],
  },
  box: {
    batch: {
      upsert_obstacles: [{ id: 7, box: { center, half_x: 1, half_z: 2, yaw: 0.5 }, blocked: true }],
    },
    rows: [
      point('upsert_obstacles[0].box.center'),
      real('upsert_obstacles[0].box.half_x', 0, extent_max, { open: true }),
      real('upsert_obstacles[0].box.half_z', 0, extent_max, { open: true }),
      real('upsert_obstacles[0].box.yaw', -1e4, 1e4),
    ],
  },
  cylinder: {
    batch: { upsert_obstacles: [{ id: 7, cylinder: { center, radius: 3 }, cost_factor: 2 }] },
    rows: [
      point('upsert_obstacles[0].cylinder.center'),
      real('upsert_obstacles[0].cylinder.radius', 0, extent_max, { open: true }),
    ],
  },
  polygon: {
    batch: { upsert_obstacles: [{ id: 7, polygon: { xz: square }, blocked: true }] },
    rows: [polygon('upsert_obstacles[0].polygon')],
  },
  capsule: {
    batch: {
      upsert_obstacles: [
        { id: 7, capsule: { from: center, to: { x: 4, z: 12 }, radius: 0.5 }, blocked: true },
      ],
    },
    rows: [
      point('upsert_obstacles[0].capsule.from'),
      point('upsert_obstacles[0].capsule.to'),
      real('upsert_obstacles[0].capsule.radius', 0, extent_max, { open: true }),
      accept('upsert_obstacles[0].capsule.to', center, { x: center.x + 2 * extent_max, z: 9 }),
      refuse_all('upsert_obstacles[0].capsule.to', [
        { x: center.x + 2.001 * extent_max, z: 9 },
        { x: 2 * extent_max, z: -extent_max },
      ]),
    ],
  },
  terrain: {
    batch: { terrain_edits: [edit] },
    rows: [
      refuse('terrain_edits[0].cells', undefined),
      rectangle('terrain_edits[0].cells'),
      terrain_name('terrain_edits[0].terrain_class'),
    ],
  },
  influence: {
    batch: { influence_edits: [{ cells, team: 1, layer: 2, add: 3 }] },
    rows: [
      refuse('influence_edits[0].cells', undefined, {
        field: ['influence_edits[0]', 'influence_edits[0].shape'],
      }),
      rectangle('influence_edits[0].cells'),
      team('influence_edits[0].team'),
      whole('influence_edits[0].layer', 0, 15),
      refuse('influence_edits[0].add', undefined, {
        field: ['influence_edits[0]', 'influence_edits[0].change'],
      }),
      whole('influence_edits[0].add', -63936, 63936),
      whole('influence_edits[0].set', 0, 63936),
    ],
  },
  influence_disc: {
    batch: { influence_edits: [{ cylinder: { center, radius: 3 }, set: 64 }] },
    rows: [
      point('influence_edits[0].cylinder.center'),
      real('influence_edits[0].cylinder.radius', 0, extent_max, { open: true }),
    ],
  },
  decay: {
    batch: { decay_influence: [{ keep_permille: 900, cells }] },
    rows: [
      accept('decay_influence[0].cells', undefined),
      rectangle('decay_influence[0].cells'),
      team('decay_influence[0].team'),
      whole('decay_influence[0].layer', 0, 15),
      whole('decay_influence[0].keep_permille', 0, 999),
    ],
  },
  body: {
    batch: { stand: [{ agent_id: 7, cells }] },
    rows: [
      any_id('stand[0].agent_id'),
      refuse('stand[0].cells', undefined, { field: ['stand[0]', 'stand[0].shape'] }),
      rectangle('stand[0].cells'),
      refuse('walk_on', [404], {
        status: 'NOT_FOUND',
        reason: 'BODY_UNKNOWN',
        field: 'walk_on[0]',
      }),
    ],
  },
  body_disc: {
    batch: { stand: [{ agent_id: 7, cylinder: { center, radius: 3 } }] },
    rows: [
      point('stand[0].cylinder.center'),
      real('stand[0].cylinder.radius', 0, extent_max, { open: true }),
    ],
  },
  fog: {
    batch: { fog_edits: [{ cells, team: 1, hidden: true }] },
    rows: [
      refuse('fog_edits[0].cells', undefined, {
        field: ['fog_edits[0]', 'fog_edits[0].shape'],
      }),
      rectangle('fog_edits[0].cells'),
      team('fog_edits[0].team'),
    ],
  },
  fog_disc: {
    batch: { fog_edits: [{ cylinder: { center, radius: 3 } }] },
    rows: [
      point('fog_edits[0].cylinder.center'),
      real('fog_edits[0].cylinder.radius', 0, extent_max, { open: true }),
    ],
  },
  profile: {
    batch: { add_profiles: [right_profile] },
    rows: [
      profile_rows.map((row) => inside('add_profiles[0]', row)),
      refuse('add_profiles', [{ name: 'default', topology: 'TOPOLOGY_4' }], {
        status: 'ALREADY_EXISTS',
        field: 'add_profiles[0].name',
      }),
    ],
  },
  lists: {
    batch: { switch_obstacles: [{ id: 1, enabled: true }] },
    rows: [
      refuse('', undefined),
      refuse('', {}),
      refuse('remove_obstacles', [404], { ...no_obstacle, field: 'remove_obstacles[0]' }),
      refuse('remove_obstacles', [2, 404], { ...no_obstacle, field: 'remove_obstacles[1]' }),
      refuse('switch_obstacles[0].id', 404, no_obstacle),
      twice({ upsert_obstacles: [on_cells(7), on_cells(7)] }),
      twice({ remove_obstacles: [1, 1] }),
      twice({ switch_obstacles: [{ id: 1 }, { id: 1 }] }),
      twice({ upsert_obstacles: [on_cells(1)], remove_obstacles: [1] }),
      twice({ switch_obstacles: [{ id: 1 }], remove_obstacles: [1] }),
      twice({ switch_obstacles: [{ id: 1 }], upsert_obstacles: [on_cells(1)] }),
      accept('', { terrain_edits: repeat(10_000, () => edit) }),
      refuse('', { terrain_edits: repeat(10_001, () => edit) }, too_many),
      refuse(
        '',
        { terrain_edits: repeat(10_000, () => edit), upsert_obstacles: [on_cells(7)] },
        too_many,
      ),
    ],
  },
};

// A row of a message at `path` of its request; the row's own path may be empty.
export function inside(path, row) {
  const put = (at) => {
    if (Array.isArray(at)) return at.map(put);
    return at === undefined || at === '' ? path : `${path}.${at}`;
  };
  const { expected } = row;
  const names_field = expected !== null && expected.field !== undefined;
  return {
    path: put(row.path),
    value: row.value,
    expected: names_field ? { ...expected, field: put(expected.field) } : expected,
  };
}

export function all_inside(path, rows) {
  return rows.flat(Infinity).map((row) => inside(path, row));
}

// One number of Agent.crowd; the others are right.
function crowd(number, high) {
  const right = { penalty: 1, radius: 4, max_detour: 0.5 };
  return real(number, 0, high, { open: true }).map((row) => ({
    path: 'crowd',
    value: { ...right, [number]: row.value },
    expected: row.expected && { ...row.expected, field: `crowd.${number}` },
  }));
}

export const agent_rows = [
  any_id('id'),
  profile_of('profile'),
  team('team'),
  place('position', map),
  place('goals[0]', map),
  refuse('goals', []),
  refuse(
    'goals',
    repeat(17, () => there),
  ),
  accept(
    'goals',
    repeat(16, () => there),
  ),
  real('goal_radius', 0, 64 * map.cell_size),
  whole('priority', 0, 7),
  whole('max_staleness_ms', 0, 3_600_000),
  real('min_improvement_ratio', 0, 1),
  crowd('penalty', 16),
  crowd('radius', 64 * map.cell_size),
  crowd('max_detour', 1),
  refuse('curves', true, { reason: 'SMOOTHING_UNSUITED' }),
].flat();

export const right_query = { world, from: here, goals: [there] };

// Rows of FindPathRequest, except its world and min_revision.
export const query_rows = [
  place('from', map),
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
  profile_of('walker.profile'),
  team('walker.team'),
  options_rows,
  accept('options', { algorithm: 12, memory_limit_bytes: 1 << 30 }),
  // The table of all pairs of 192 cells takes 147,456 bytes, and edges some more.
  refuse(
    'options',
    { algorithm: 12, memory_limit_bytes: 147_456 },
    { ...unsuited, reason: 'TABLE_TOO_LARGE', field: 'options.memory_limit_bytes' },
  ),
  ...[1, 2, 4, 5, 6, 7, 8, 9, 10, 11, 12].map((algorithm) =>
    refuse('options', { algorithm, weight: 2 }, { ...conflict, field: 'options.weight' }),
  ),
  refuse('options', { heuristic: 2 }, { ...unsuited, field: 'options.heuristic' }),
  accept('options', { heuristic: 2, weight: 1.0625 }),
].flat();

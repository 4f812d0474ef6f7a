// ImportWorld: the header at its limits, files that are not maps, and parts in the wrong order.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { Grid } from './grid.mjs';
import { profile_rows, right_profile, all_inside } from './rows.mjs';
import { start_server } from './server.mjs';
import { accept, check_table, name, real, refuse, refuse_all, sender } from './table.mjs';
import { import_parts, import_rows, two_rooms } from './worlds.mjs';

const chunk_max = 1024 * 1024;

let server;
let api;
before(async () => {
  server = await start_server();
  api = server.api;
  await import_rows(api, 'anchor', two_rooms);
});
after(() => server.stop());

let made = 0;
const fresh_name = () => `made-${++made}`;

// `request` is the {parts} of one import.
function check(request, rows) {
  return check_table({
    api,
    send: sender(({ parts }) => api.world.ImportWorld(parts)),
    request,
    rows,
  });
}

function moving_ai(height, width, rows, type = 'octile') {
  return `type ${type}\nheight ${height}\nwidth ${width}\nmap\n${rows.join('\n')}`;
}

test('The header', () =>
  check(
    () => ({
      parts: import_parts({ name: fresh_name(), profiles: [right_profile] }, '...\n.#.\n'),
    }),
    [
      refuse('parts[0].header.world', undefined, { field: ['header.world', 'header.world.name'] }),
      all_inside('parts[0].header', [
        name('world.name'),
        refuse_all('world.width', [3, -1]),
        refuse_all('world.height', [2, -1]),
        real('world.cell_size', 1e-3, 1e3, { zero: true }),
        all_inside('world.profiles[0]', profile_rows),
        refuse_all('world.terrain_classes', [[{ name: 'grass', symbol: 'gg', factor: 1 }]], {
          field: 'world.terrain_classes[0].symbol',
        }),
        real('world.options.frame_rate_hz', 0, 1000),
        refuse_all('format', [11, 99, -1]),
        refuse('format', 8, { reason: 'FILE_DECIDES', field: 'world.profiles' }),
        accept('format', 0, 2),
        refuse_all('plan_method', [1, 2, 3], { reason: 'KIND_UNSUITED' }),
        refuse('recast', { cell_size: 1 }, { reason: 'KIND_UNSUITED' }),
        refuse_all('plan_tau_radians', [-0.1, 0.51, NaN, Infinity, 0.2]),  // 0.2: this file is text
      ]),
    ]
      .flat(Infinity)
      .map(without_parts),
  ));

// The server sees the parts one by one, so it names fields from the part.
function without_parts(row) {
  if (row.expected === null) return row;
  const cut = (field) => field.replace('parts[0].', '');
  const { field } = row.expected;
  return {
    ...row,
    expected: { ...row.expected, field: Array.isArray(field) ? field.map(cut) : cut(field) },
  };
}

const plan = '{"outer": [[0, 0], [8, 0], [8, 4], [0, 4]]}';
test('The header of a mesh', () =>
  check(
    () => ({ parts: import_parts({ name: fresh_name() }, plan, 'MAP_FORMAT_FLOOR_PLAN') }),
    [all_inside('parts[0].header', [real('base_radius', 0, 100)])].flat(Infinity).map(without_parts),
  ));

const header = () => ({ header: { world: { name: fresh_name() } } });
const chunk = (text) => ({ chunk: Buffer.from(text) });

test('Parts out of order, missing or too long', () =>
  check(
    () => ({ parts: [header(), chunk('..\n..\n')] }),
    [
      refuse('parts', [chunk('..\n'), header()], { field: ['header', 'chunk'] }),
      refuse('parts', [], { field: 'header' }),
      refuse('parts', [{}], { field: ['header', 'part'] }),
      refuse('parts', [header(), header(), chunk('..\n')], { field: 'header' }),
      refuse('parts', [header(), {}], { field: ['part', 'chunk'] }),
      refuse('parts', [header()], { field: 'chunk' }),
      refuse('parts', [header(), chunk('')], { field: 'chunk' }),
      accept('parts', [header(), chunk('.'), chunk('.'), chunk('\n..'), chunk('\n')]),
      accept('parts', [header(), chunk(`${'.'.repeat(16383)}\n`.repeat(64))]),
      refuse('parts', [header(), chunk('.'.repeat(chunk_max + 1))], {
        status: ['INVALID_ARGUMENT', 'RESOURCE_EXHAUSTED'],
        field: 'chunk',
      }),
    ],
  ));

const bytes = (seed_byte) =>
  Buffer.from(Array.from({ length: 5000 }, (_, i) => (i * i * seed_byte + (i >> 3)) & 0xff));

const broken_files = {
  'random bytes': bytes(7),
  'other random bytes': bytes(91),
  'zero bytes': Buffer.alloc(1000),
  'only line ends': '\n\n\n',
  'an unknown symbol': '...\n.?.\n',
  'rows of unequal length': '...\n..\n',
  'no height': 'type octile\nwidth 3\nmap\n...\n',
  'no map': 'type octile\nheight 1\nwidth 3\n',
  'height 0': moving_ai(0, 3, []),
  'width 0': moving_ai(1, 0, ['']),
  'a negative height': moving_ai(-1, 3, ['...']),
  'a width that is no number': moving_ai(1, 'three', ['...']),
  'a height past 64 bits': moving_ai('99999999999999999999999', 3, ['...']),
  'a width with more behind it': moving_ai(1, '3x', ['...']),
  'more rows than declared': moving_ai(1, 3, ['...', '...']),
  'fewer rows than declared': moving_ai(3, 3, ['...']),
  'a row too long': moving_ai(1, 3, ['....']),
  'a row too short': moving_ai(1, 3, ['..']),
  'the largest size with no rows': moving_ai(16384, 16384, []),
  'a height past the limit': moving_ai(16385, 1, []),
  'a width past the limit': moving_ai(1, 16385, ['.'.repeat(16385)]),
  'text wider than the limit': `${'.'.repeat(16385)}\n`,
  'text higher than the limit': '.\n'.repeat(16385),
  'half a header': 'type octile\nheig',
};

test('Files that are no maps', () =>
  check(
    () => ({ parts: [] }),
    Object.entries(broken_files).map(([, file]) =>
      refuse('parts', import_parts({ name: fresh_name() }, file, 'MAP_FORMAT_UNSPECIFIED'), {
        status: ['INVALID_ARGUMENT', 'RESOURCE_EXHAUSTED'],
        field: 'chunk',
      }),
    ),
  ));

test('A huge size that no rows follow costs no memory', async () => {
  const before_it = await api.world.ListWorlds({});
  const file = moving_ai(16384, 16384, ['.'.repeat(100)]);
  for (let i = 0; i < 50; ++i) {
    await assert.rejects(
      api.world.ImportWorld(import_parts({ name: 'huge' }, file, 'MAP_FORMAT_MOVING_AI')),
    );
  }
  assert.deepEqual(await api.world.ListWorlds({}), before_it);
});

test('A memory limit that the map passes is refused', () =>
  check(
    () => ({ parts: [] }),
    [
      refuse(
        'parts',
        import_parts(
          { name: fresh_name(), options: { memory_limit_mb: 1 } },
          `${'.'.repeat(1600)}\n`.repeat(1600),
        ),
        { status: 'RESOURCE_EXHAUSTED', field: undefined },
      ),
    ],
  ));

test('The largest rows and columns are accepted, LF or CRLF, Moving AI or text', async () => {
  for (const [rows, end] of [
    [1, '\n'],
    [1, '\r\n'],
    [16384, '\n'],
    [16384, '\r\n'],
  ]) {
    const width = 16384 / rows;
    const lines = Array.from({ length: rows }, () => '.'.repeat(width));
    for (const text of [lines.join('\n'), moving_ai(rows, width, lines)]) {
      const world = fresh_name();
      const made_world = await api.world.ImportWorld(
        import_parts({ name: world }, text.replaceAll('\n', end), 'MAP_FORMAT_UNSPECIFIED'),
      );
      assert.deepEqual(
        [made_world.width, made_world.height, made_world.revision],
        [width, rows, '1'],
      );
    }
  }
});

test('An imported map has its walls where the file has them', async () => {
  const world = fresh_name();
  await import_rows(api, world, two_rooms);
  const grid = Grid.drawn(two_rooms);
  for (let y = 0; y < grid.height; ++y) {
    for (let x = 0; x < grid.width; ++x) {
      const { valid } = await api.path.CheckPath({ world, cells: [x, y] });
      assert.equal(valid, grid.free(x, y), `cell ${x},${y}`);
    }
  }
});

test('The same content has the same state hash, other content another', async () => {
  const hash = async (rows) => {
    const world = fresh_name();
    await import_rows(api, world, rows);
    return (await api.world.GetWorld({ world })).state_hash;
  };
  const with_a_hole = two_rooms.map((row, y) => (y === 1 ? row.replaceAll('#.', '..') : row));
  assert.equal(await hash(two_rooms), await hash(two_rooms));
  assert.notEqual(await hash(two_rooms), await hash(with_a_hole));
});

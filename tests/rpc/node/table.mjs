// Tables of limits: each row is one field of an otherwise right request, at its limit or beyond.
//
// A rejected row must end in its typed status, name the field, and leave every world unchanged and
// the server answering.
import assert from 'node:assert/strict';
import { isDeepStrictEqual } from 'node:util';
import { check_fault, Fault } from './decode.mjs';

// Rows. `expected` describes the rejection (see check_fault); the field to be named is the path
// unless `expected` has another one.
export function accept(path, ...values) {
  return values.map((value) => ({ path, value, expected: null }));
}

export function refuse(path, value, expected = {}) {
  return { path, value, expected: { status: 'INVALID_ARGUMENT', field: path, ...expected } };
}

export function refuse_all(path, values, expected = {}) {
  return values.map((value) => refuse(path, value, expected));
}

export function not_finite(path) {
  return refuse_all(path, [NaN, Infinity, -Infinity]);
}

// A whole number in [low, high]; `zero` if 0 means a default.
export function whole(path, low, high, { zero = false } = {}) {
  const below = low > 1 || (low === 1 && !zero) ? [refuse(path, low - 1)] : [];
  return [...accept(path, low, high, ...(zero ? [0] : [])), ...below, refuse(path, high + 1)];
}

// A number in [low, high], or in (low, high] if `open`; `zero` if 0 means a default.
export function real(path, low, high, { open = false, zero = false } = {}) {
  const just_above = high + Math.max(1e-6, Math.abs(high) * 1e-6);
  const just_below = low - Math.max(1e-6, Math.abs(low) * 1e-6);
  return [
    ...not_finite(path),
    ...accept(path, high, ...(open ? [] : [low]), ...(zero ? [0] : [])),
    ...refuse_all(path, [just_above, 1e300, just_below, -1e300, ...(open ? [low] : [])]),
  ];
}

export function choice(path, highest) {
  return [...accept(path, 0, highest), ...refuse_all(path, [highest + 1, 99, -1])];
}

export function name(path) {
  return refuse_all(path, ['', 'a'.repeat(65), 'two words', 'a/b', 'n\u00e9', 'a\u0000', 'a\n']);
}

// `map` is {width, height, cell_size}, the last of these in world units.
export function place(path, { width, height, cell_size }) {
  const off_map = (axis, value) =>
    refuse(`${path}.${axis}`, value, {
      reason: 'OUT_OF_MAP',
      field: [path, `${path}.${axis}`, `${path}.${axis.split('.')[0]}`],
    });
  const far_x = width * cell_size;
  const far_z = height * cell_size;
  return [
    ...(path.endsWith(']') ? [] : [refuse(path, undefined)]),
    refuse(path, {}),
    ...accept(`${path}.cell`, { x: 0, y: 0 }, { x: width - 1, y: height - 1 }),
    ...accept(
      `${path}.position`,
      { x: 0, y: 0, z: 0 },
      { x: far_x - 0.01, y: 1e9, z: far_z - 0.01 },
    ),
    ...[-1, width, 2 ** 31 - 1, -(2 ** 31)].map((x) => off_map('cell.x', x)),
    ...[-1, height, 2 ** 31 - 1, -(2 ** 31)].map((y) => off_map('cell.y', y)),
    ...[-0.01, far_x + 0.01, 1e9, -1e9].map((x) => off_map('position.x', x)),
    ...[-0.01, far_z + 0.01, 1e9, -1e9].map((z) => off_map('position.z', z)),
    ...['x', 'y', 'z'].flatMap((axis) => [
      ...not_finite(`${path}.position.${axis}`),
      ...refuse_all(`${path}.position.${axis}`, [1.001e9, -1.001e9, 1e300]),
    ]),
  ];
}

export function world_of(path = 'world') {
  const unknown = { status: 'NOT_FOUND', reason: 'WORLD_UNKNOWN', field: path };
  return [
    ...refuse_all(path, ['nowhere', 'n'.repeat(64)], unknown),
    ...refuse_all(path, ['', 'a'.repeat(65), 'two words', '\u0000'], {
      status: ['NOT_FOUND', 'INVALID_ARGUMENT'],
    }),
  ];
}

export function profile_of(path) {
  const unknown = { status: 'NOT_FOUND', reason: 'PROFILE_UNKNOWN', field: path };
  return [
    ...accept(path, '', 'default'),
    refuse(path, 'nobody', unknown),
    refuse(path, 'a'.repeat(65), { status: ['NOT_FOUND', 'INVALID_ARGUMENT'] }),
  ];
}

export function team(path) {
  return [...whole(path, 0, 31), ...refuse_all(path, [33, 2 ** 32 - 1])];
}

export function walker(path = 'walker') {
  return [...profile_of(`${path}.profile`), ...team(`${path}.team`)];
}

export function min_revision(path = 'min_revision') {
  const not_yet = { status: 'FAILED_PRECONDITION', reason: 'REVISION_NOT_YET', field: undefined };
  return [
    ...accept(path, 0, 1),
    refuse(path, 1_000_000, not_yet),
    refuse(path, '18446744073709551615', not_yet),
  ];
}

export function any_id(path) {
  return accept(path, 0, 1, '9223372036854775808', '18446744073709551615');
}

const oneofs = [
  ['position', 'cell'],
  ['cells', 'box', 'cylinder', 'polygon', 'capsule'],
  ['blocked', 'cost_factor'],
];

// Returns a copy of `request` with `value` at `path` ("batch.upsert_obstacles[0].box.yaw");
// undefined removes the field.
export function changed(request, path, value) {
  const keys = path.split(/[.[\]]+/).filter((key) => key !== '');
  const copy = structuredClone(request);
  let holder = copy;
  keys.forEach((key, i) => {
    const sisters = oneofs.find((names) => names.includes(key)) ?? [];
    for (const sister of sisters) if (sister !== key) delete holder[sister];
    if (i === keys.length - 1) holder[key] = value;
    else holder = holder[key] ??= {};
  });
  return copy;
}

// Returns the part of every world that a rejected call must leave unchanged.
export async function worlds_now(api) {
  const { worlds } = await api.world.ListWorlds({ page_size: 1000 });
  return worlds.map(({ name: world, revision, state_hash, agents, obstacles }) => ({
    world,
    revision,
    state_hash,
    agents,
    obstacles,
  }));
}

function shown(value) {
  const text = typeof value === 'number' ? String(value) : (JSON.stringify(value) ?? 'absent');
  return text.length > 100 ? `${text.slice(0, 100)}... (${text.length} characters)` : text;
}

function check_row(expected, fault) {
  if (expected === null) {
    if (fault !== null)
      throw new Error(`accepted at the limit, but: ${fault.message} [${fault.fields}]`);
  } else {
    if (fault === null)
      throw new Error(`accepted, instead of ${expected.status} naming ${expected.field}`);
    check_fault(fault, expected);
  }
}

// Sends every row and reports all wrong results together at the end.
//   send     sends one request; returns the Fault with which it is rejected, or null
//   request  makes the right request
//   reads    true if no answer may change a world
export async function check_table({ api, send, request, rows, reads = false }) {
  const wrong = [];
  let before = await worlds_now(api);
  for (const { path, value, expected } of rows.flat()) {
    const fault = await send(changed(request(), path, value));
    const now = await worlds_now(api);
    const may_change = expected === null && !reads;
    try {
      check_row(expected, fault);
      assert.ok(may_change || isDeepStrictEqual(now, before), 'a world is not as it was');
    } catch (error) {
      wrong.push(`${path} = ${shown(value)}: ${error.message}`);
    }
    before = now;
  }
  if (wrong.length > 0) assert.fail(`${wrong.length} rows:\n${wrong.join('\n')}`);
}

// For check_table: a method that answers or throws.
export function sender(method) {
  return async (request) => {
    try {
      await method(request);
      return null;
    } catch (error) {
      if (error instanceof Fault) return error;
      throw error;
    }
  };
}

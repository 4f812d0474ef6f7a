// Rows for QueryOptions; the paths of fields begin at the message that has `options`.
import { accept, choice, real, refuse, refuse_all, whole } from './table.mjs';

const cell_size = 2; // The tables ask about a world with cells of this size.
const max_uint64 = '18446744073709551615';

export const conflict = { reason: 'OPTIONS_CONFLICT' };
export const unsuited = { status: 'FAILED_PRECONDITION', reason: 'HEURISTIC_UNSUITED' };

// Rows of an option that works only beside others: `rows` are those of the option itself.
function option_beside(right, name, rows) {
  return rows.map((row) => ({
    path: 'options',
    value: { ...right, [name]: row.value },
    expected: row.expected && { ...row.expected, field: `options.${name}` },
  }));
}

function whole_beside(right, name, low, high) {
  return option_beside(right, name, whole(name, low, high, { zero: true }));
}

// Rows of an option with algorithms that do not take it.
function option_not_of(algorithms, name, value) {
  return algorithms.map((algorithm) =>
    refuse('options', { algorithm, [name]: value }, { ...conflict, field: `options.${name}` }),
  );
}

export const options_rows = [
  choice('options.algorithm', 12),
  accept('options.heuristic', 0, 1, 3, 4, 5),
  refuse_all('options.heuristic', [6, 99, -1]),
  ...[1, 2, 5, 6, 10, 11, 12].map((algorithm) =>
    refuse('options', { algorithm, heuristic: 5 }, { ...conflict, field: 'options.heuristic' }),
  ),
  choice('options.smoothing', 3),
  option_beside(
    { smoothing: 3 },
    'curve_deviation',
    real('curve_deviation', 0.001 * cell_size, cell_size, { zero: true }),
  ),
  refuse('options', { smoothing: 2, curve_deviation: 1 }, { ...conflict, field: 'options.curve_deviation' }),
  refuse('options', { smoothing: 2, every_cell: true }, { ...conflict, field: 'options.every_cell' }),
  real('options.turn_penalty', 0, 1000 * cell_size),
  refuse(
    'options',
    { weight: 2, turn_penalty: 1 },
    { ...conflict, field: 'options.turn_penalty' },
  ),
  real('options.weight', 1, 1000, { zero: true }),
  accept('options.max_expansions', 0, 1, max_uint64),
  whole('options.max_waypoints', 0, 100_000),
  whole_beside({ algorithm: 8 }, 'memory_limit_bytes', 65_536, 1 << 30),
  whole_beside({ algorithm: 9 }, 'memory_limit_bytes', 65_536, 1 << 30),
  option_not_of([0, 1, 2, 3, 4, 5, 6, 7, 10, 11], 'memory_limit_bytes', 65_536),
  whole_beside({ algorithm: 11 }, 'cluster_side', 8, 64),
  whole_beside({ algorithm: 11 }, 'cluster_levels', 1, 3),
  option_not_of([0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 12], 'cluster_side', 8),
  option_not_of([0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 12], 'cluster_levels', 2),
].flat();

const search_shapes = [
  refuse('options.weight', 2, conflict),
  refuse('options.heuristic', 5, conflict),
  refuse('options.turn_penalty', 1, conflict),
  refuse('options.smoothing', 2, conflict),
  refuse('options.curve_deviation', 1, conflict),
  refuse('options.cluster_side', 8, conflict),
  refuse('options.cluster_levels', 2, conflict),
].flat();

// Rows of the options of a call that searches in one way.
export const one_way_rows = [
  search_shapes,
  refuse('options.algorithm', 2, conflict),
  refuse('options.memory_limit_bytes', 65_536, conflict),
  accept('options.every_cell', true),
  accept('options.max_expansions', 0, 1, max_uint64),
  whole('options.max_waypoints', 0, 100_000),
].flat();

// Rows of the options of a call that returns no path.
export const no_path_rows = [
  search_shapes,
  refuse('options.algorithm', 1, conflict),
  refuse('options.algorithm', 11, conflict),
  accept('options.algorithm', 0, 2, 3, 10, 12),
  accept('options.max_expansions', 0, 1, max_uint64),
  whole_beside({ algorithm: 9 }, 'memory_limit_bytes', 65_536, 1 << 30),
  refuse('options.every_cell', true, conflict),
  refuse('options.max_waypoints', 1, conflict),
].flat();

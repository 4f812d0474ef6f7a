// Worlds and agents that several tests use, made through the public API.
import assert from 'node:assert/strict';
import { Grid } from './grid.mjs';

// Two rooms with a wall between them and two doors in it.
export const two_rooms = [
  '#################',
  '#.......#.......#',
  '#.......#.......#',
  '#...............#',
  '#.......#.......#',
  '#.......#.......#',
  '#.......#.......#',
  '#...............#',
  '#.......#.......#',
  '#################',
];
export const upper_door = { id: '1', cells: { x0: 8, y0: 3, x1: 9, y1: 4 } };
export const lower_door = { id: '2', cells: { x0: 8, y0: 7, x1: 9, y1: 8 } };
const chunk_bytes = 1000; // Small, so that a map comes in several.

export function import_parts(world, text, format = 'MAP_FORMAT_TEXT', more = {}) {
  const parts = [{ header: { world, format, ...more } }];
  const bytes = Buffer.from(text);
  for (let at = 0; at < bytes.length; at += chunk_bytes) {
    parts.push({ chunk: bytes.subarray(at, at + chunk_bytes) });
  }
  return parts;
}

// Imports the drawn rows as world `name`. Returns the tests' own model of it.
export async function import_rows(api, name, rows, options = {}) {
  await api.world.ImportWorld(import_parts({ name, options }, `${rows.join('\n')}\n`));
  return Grid.drawn(rows);
}

export function shut(door) {
  return { upsert_obstacles: [{ ...door, blocked: true }] };
}

export function switched(door, enabled) {
  return { switch_obstacles: [{ id: door.id, enabled }] };
}

// Applies one batch. Returns the answer.
export function apply(api, world, batch) {
  return api.world.ApplyChanges({ world, batch });
}

export function agent(id, from, to, more = {}) {
  return { id, position: { cell: from }, goals: [{ cell: to }], ...more };
}

// Takes the events of one agent whose path broke and was replaced: the INVALIDATED and the REPLANNED. A stream that is
// still being written to when the path breaks sends the newer event alone, which says that it replaces the other; then
// the first is undefined.
export function broken_and_replanned(events) {
  const replanned = events.at(-1);
  assert.equal(replanned?.type, 'EVENT_TYPE_REPLANNED');
  if (events.length === 1) {
    assert.equal(replanned.coalesced, 1, 'it replaces the INVALIDATED');
    return [undefined, replanned];
  }
  assert.deepEqual(
    events.map(({ type }) => type),
    ['EVENT_TYPE_INVALIDATED', 'EVENT_TYPE_REPLANNED'],
  );
  return events;
}

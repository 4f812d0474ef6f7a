// Tests of a search written as a trace: the same text as `repath path explain --export` for the same search.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { traceOf } from '../src/edit/trace';
import type { Film } from '../src/raster/film_pixels';

// Cells 0,0 to 2,0: the first two are expanded one after the other, the third waits and is the goal.
const rowOfThree: Film = {
  grid: true,
  points: Float32Array.of(0.5, 0.5, 1.5, 0.5, 2.5, 0.5),
  parents: Uint32Array.of(0, 1, 2),
  order: Uint32Array.of(0, 1),
  reachedAt: Uint32Array.of(0, 0, 1),
  expandedAt: Uint32Array.of(0, 1, 0xffffffff),
  g: Float32Array.of(0, 1, 2),
  h: Float32Array.of(2, 1, 0),
  path: Float32Array.of(0.5, 0.5, 2.5, 0.5),
  start: [0.5, 0.5],
  goals: [[2.5, 0.5]],
};

function eventsOf(film: Film): string[] {
  const [, events] = traceOf(film).split('events:\n');
  assert.ok(events?.endsWith('}\n'));
  return events.trimEnd().split('\n');
}

test('a trace names both ends, each expansion with what it reached, and the end of the path', () => {
  assert.deepEqual(eventsOf(rowOfThree), [
    '  - {type: source, id: source, x: 0, y: 0}',
    '  - {type: destination, id: destination, x: 2, y: 0}',
    '  - {type: expanding, id: 1, pId: null, g: 0, h: 2, f: 2, x: 0, y: 0}',
    '  - {type: generating, id: 2, pId: 1, g: 1, h: 1, f: 2, x: 1, y: 0}',
    '  - {type: closing, id: 1, pId: null, g: 0, h: 2, f: 2, x: 0, y: 0}',
    '  - {type: expanding, id: 2, pId: 1, g: 1, h: 1, f: 2, x: 1, y: 0}',
    '  - {type: generating, id: 3, pId: 2, g: 2, h: 0, f: 2, x: 2, y: 0}',
    '  - {type: closing, id: 2, pId: 1, g: 1, h: 1, f: 2, x: 1, y: 0}',
    '  - {type: end, id: 3, pId: 2, g: 2, h: 0, f: 2, x: 2, y: 0}',
  ]);
});

test('a search that found no path has no end', () => {
  const events = eventsOf({ ...rowOfThree, path: Float32Array.of() });
  assert.ok(events.every((event) => !event.includes('type: end')));
  assert.equal(events.length, 8);
});

// Addresses: each part of a view is written and read back alike.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Algorithm, Heuristic, Smoothing } from '../gen/repath/v1/query_pb';
import { empty, parse, print, type Route } from '../src/state/address';
import { parse as parseQuestion, plain, print as printQuestion, type Question, type Way } from '../src/state/question';

const full: Route = {
  world: 'a b/c',
  find: '',
  tab: 'search',
  layer: 'clearance 1.5',
  hide: 'agents,paths',
  show: 'portals',
  floor: 2,
  profile: 'cart',
  select: 'agent 7',
  why: '12-4-3-0',
  follow: true,
  past: '18446744073709551615',
  pace: 0.5,
  view: { x: 1.5, y: -2, scale: 4 },
  search: '1,2:3,4;5,6:q,r2,snap:3,0,1,0,t4,pcart',
  step: 0,
  speed: 500,
  towers: '2x3:1:wagons',
  verdicts: 'all',
};

test('an address names the whole view, and is read back alike', () => {
  assert.deepEqual(parse(print(full)), full);
  assert.deepEqual(parse(print({ ...empty, world: 'x' })), { ...empty, world: 'x' });
  assert.equal(print({ ...empty, world: 'x' }), '#/world/x');
  for (const name of Object.keys(full) as (keyof Route)[]) {
    const route = { ...empty, world: 'x', [name]: full[name] };
    assert.deepEqual(parse(print(route)), route, name);
  }
});

test('what is no view in an address is left out', () => {
  assert.equal(parse('#/').world, '');
  assert.deepEqual(parse(print({ ...empty, find: 'a&b' })), { ...empty, find: 'a&b' });
  assert.equal(parse('#/world/x?at=1,2').view, undefined);
  assert.equal(parse('#/world/x?at=1,2,-3').view, undefined);
  const faulty = parse('#/world/x?past=now&floor=-3&pace=0&step=x&speed=1e999');
  assert.deepEqual(faulty, { ...empty, world: 'x' });
});

const question: Question = { from: [1.5, 2, 0], goals: [[3, 4.25, 4], [7, 8, 0]], goalRadius: 2.5, allowPartial: true, snapStart: true };
const ways: Way[] = [
  { ...plain, algorithm: Algorithm.ASTAR, heuristic: Heuristic.OCTILE, weight: 1.5, turnPenalty: 0.5, profile: 'cart-4', team: 3, smoothing: Smoothing.STRAIGHT },
  { ...plain, algorithm: Algorithm.HPA, maxExpansions: 5000, clusterSide: 32, clusterLevels: 2 },
];

test('a question and two ways to search are read back alike', () => {
  assert.deepEqual(parseQuestion(printQuestion(question, ways)), { question, ways });
  const ida = { ...plain, algorithm: Algorithm.IDA_STAR, memoryLimitBytes: 1 << 20 };
  assert.deepEqual(parseQuestion(printQuestion(question, [ida]))?.ways, [ida]);
});

test('a question in an address of an older page is understood', () => {
  const read = parseQuestion('10.5,20.5:50.5,20.5:3,0,1,0:2,0,0,0');
  assert.deepEqual(read?.ways.map(({ algorithm, weight }) => [algorithm, weight]), [
    [Algorithm.ASTAR, 1],
    [Algorithm.DIJKSTRA, 0],
  ]);
  assert.deepEqual(read?.question, { from: [10.5, 20.5, 0], goals: [[50.5, 20.5, 0]], goalRadius: 0, allowPartial: false, snapStart: false });
});

test('a search takes only what its algorithm takes, and a faulty one is none', () => {
  assert.deepEqual(parseQuestion('1,2:3,4:2,4,1.5,3,m65536,c32')?.ways, [{ ...plain, algorithm: Algorithm.DIJKSTRA }]);
  for (const faulty of ['', '1,2', '1:2', '1,2:3,x', '1,2:3,4:a,b', '1,2:3,4;x', '1,2,3,4:1,2']) assert.equal(parseQuestion(faulty), undefined, faulty);
});

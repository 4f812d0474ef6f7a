import assert from 'node:assert/strict';
import { test } from 'node:test';
import { create, toBinary } from '@bufbuild/protobuf';
import { BadRequestSchema, ErrorInfoSchema } from '../gen/google/rpc/error_details_pb';
import { ChangeBatchSchema, ObstacleSchema, type Obstacle } from '../gen/repath/v1/changes_pb';
import { ExplainPathResponseSchema, GetGroundResponseSchema, WatchViewResponseSchema } from '../gen/repath/v1/debug_pb';
import { GetGraphResponseSchema, TerrainTileSchema } from '../gen/repath/v1/read_back_pb';
import { ChangeSchema, type Change } from '../gen/repath/v1/world_pb';
import { drawnOf, lineOf, messageOf, placeOf, locationOf, shapeOf } from '../src/feed/convert';
import { graphOf, meshOf, overlayOf, squareOf } from '../src/feed/ground';
import { viewOf } from '../src/feed/view';
import { AgentTable } from '../src/state/agent_table';
import { filmOf } from '../src/state/film';
import type { Base } from '../src/state/past_base';
import { applyTo, doubtfulAt, standingAt, standingFrom, summary, type Standing } from '../src/state/replay';
import type { Surface } from '../src/state/surface';
import { errorFrom } from '../src/wire/error';
import { dice } from './picture';

test('a square at the border of the map is laid out as a whole one', () => {
  const tile = create(TerrainTileSchema, { x: 64, y: 128, width: 2, height: 3, terrain: Uint8Array.of(1, 2, 3, 4, 5, 6) });
  const { column, row, terrain } = squareOf(tile);
  assert.deepEqual([column, row], [1, 2]);
  assert.deepEqual([terrain[0], terrain[1], terrain[2], terrain[64], terrain[65], terrain[128], terrain[129]], [1, 2, 0, 3, 4, 5, 6]);
  assert.deepEqual([...squareOf(create(TerrainTileSchema, { width: 64, height: 64, terrain: Uint8Array.of(7) })).terrain], [7]);
});

test('influence multiplies over the layers of a team, and fog hides it', () => {
  const two = (...levels: number[]) => Uint8Array.from(levels.flatMap((level) => [level & 255, level >> 8]));
  const planes = [
    { layer: 0, levels: two(0, 64, 63936, 64) },
    { layer: 3, levels: two(64) },
    { layer: 16, levels: two(0, 0, 0, 1) },
  ];
  const { levels } = overlayOf(create(TerrainTileSchema, { width: 2, height: 2, planes }));
  const of = (factor: number) => Math.round((Math.log(factor) / Math.log(1000)) * 254);
  assert.deepEqual([levels[0], levels[1], levels[64], levels[65]], [of(2), of(4), 254, 255]);
  assert.equal(overlayOf(create(TerrainTileSchema, { width: 64, height: 64 })).levels.length, 0);
});

test('the pages of a mesh become one ground, the lowest cells first, and their floors', () => {
  const pages = [
    create(GetGroundResponseSchema, { cornerCounts: [3], corners: [0, 0, 0, 3, 3, 0, 0, 6, 3], areas: [2], links: [{ id: 1n, from: { x: 1, y: 0, z: 2 }, to: { x: 3, y: 4, z: 5 }, enabled: true }] }),
    create(GetGroundResponseSchema, { cornerCounts: [4], corners: [0, 1, 0, 1, 1, 0, 1, 1, 1, 0, 1, 1], areas: [0], factors: [2.5] }),
  ];
  const mesh = meshOf(pages);
  assert.deepEqual([...mesh.counts], [4, 3]);
  assert.deepEqual([...mesh.corners.slice(8)], [0, 0, 3, 0, 0, 3]);
  assert.deepEqual([...mesh.heights], [1, 3]);
  assert.deepEqual([...mesh.factors], [2.5, 1]);
  assert.deepEqual([...mesh.floors], [0, 1]);
  assert.deepEqual(mesh.links, [{ ends: [1, 2, 3, 5], enabled: true, bothWays: false }]);
});

test('a view: ids are differences, positions are parts of 64, waiting is a bit', () => {
  const picture = create(WatchViewResponseSchema, { whole: true, agents: [5n, 2n], positions: [64, 32, -64, 6400], outlooks: [1, 10], removed: [9n], waiting: 1n });
  const view = viewOf(picture, 2);
  assert.deepEqual([view.ids, [...view.at]], [[5n, 7n], [1, 0.5, -1, 100]]);
  assert.deepEqual([[...view.outlooks], [...view.waiting], view.removed], [[1, 2], [0, 1], [9n]]);
  const inSpace = create(WatchViewResponseSchema, { agents: [3n], positions: [64, 999, 128], outlooks: [0] });
  assert.deepEqual([[...viewOf(inSpace, 3).at], [...viewOf(inSpace, 3).heights]], [[1, 2], [999 / 64]]);
});

test('the pages of a graph become one; edges name the places of their nodes', () => {
  const pages = [
    create(GetGraphResponseSchema, { nodes: [{ id: 5n, position: { x: 1, y: 9, z: 2 } }], edges: [{ from: 5n, to: 8n }] }),
    create(GetGraphResponseSchema, { nodes: [{ id: 8n, position: { x: 3, y: 9, z: 4 }, disabled: true }], edges: [{ from: 8n, to: 5n, disabled: true }] }),
  ];
  const { graph, ids } = graphOf(pages);
  assert.deepEqual(ids, [5n, 8n]);
  assert.deepEqual([...graph.nodes], [1, 2, 3, 4]);
  assert.deepEqual([...graph.edges], [0, 1, 1, 0]);
  assert.deepEqual([[...graph.disabledNodes], [...graph.disabledEdges]], [[0, 1], [0, 1]]);
});

test('a shape survives the way to a message and back, in cells of any size', () => {
  for (const unit of [1, 0.5, 2]) {
    for (const shape of [
      { kind: 'rect', x0: 1, y0: 2, x1: 4, y1: 6 },
      { kind: 'box', x: 1.5, y: 2, halfX: 3, halfY: 0.5, yaw: 1 },
      { kind: 'disc', x: 2, y: 3, radius: 1.5 },
      { kind: 'polygon', points: [0, 0, 4, 0, 2, 3] },
      { kind: 'capsule', x0: 1, y0: 2, x1: 3, y1: 4, radius: 0.5 },
    ] as const) {
      const obstacle = create(ObstacleSchema, { id: 1n, shape: messageOf(shape as Parameters<typeof messageOf>[0], unit) });
      assert.deepEqual(shapeOf(obstacle.shape, unit), shape);
    }
  }
});

test('an obstacle is drawn by what it does', () => {
  const cells = { case: 'cells', value: { x0: 0, y0: 0, x1: 1, y1: 1 } } as const;
  const blocked = create(ObstacleSchema, { id: 4n, shape: cells, effect: { case: 'blocked', value: true }, disabled: true });
  const dear = create(ObstacleSchema, { id: 5n, shape: cells, effect: { case: 'costFactor', value: 3 } });
  assert.deepEqual([drawnOf(blocked, 1)?.effect, drawnOf(blocked, 1)?.disabled], ['blocked', true]);
  assert.deepEqual([drawnOf(dear, 1)?.effect, drawnOf(dear, 1)?.factor], ['cost', 3]);
  assert.equal(drawnOf(create(ObstacleSchema, { id: 6n }), 1), undefined);
});

test('places and lines are in cells', () => {
  assert.deepEqual(placeOf(locationOf([3.2, 4.9], true), 2), [3.5, 4.5]);
  assert.deepEqual([...lineOf([2, 0, 4, 6, 1, 8], 2)], [1, 2, 3, 4]);
});

test('an error carries reason, field and facts', () => {
  const base64 = (bytes: Uint8Array) => Buffer.from(bytes).toString('base64').replaceAll('=', '');
  const error = errorFrom({
    code: 'out_of_range',
    message: 'too old',
    details: [
      { type: 'google.rpc.ErrorInfo', value: base64(toBinary(ErrorInfoSchema, create(ErrorInfoSchema, { reason: 'TOO_OLD', metadata: { oldest_revision: '7' } }))) },
      { type: 'google.rpc.BadRequest', value: base64(toBinary(BadRequestSchema, create(BadRequestSchema, { fieldViolations: [{ field: 'start_revision' }] }))) },
    ],
  });
  assert.deepEqual([error.reason, error.field, error.metadata.oldest_revision, error.passing], ['TOO_OLD', 'start_revision', '7', false]);
  assert.equal(errorFrom({ code: 'unavailable' }).passing, true);
});

test('a film: a node is reached when its parent is expanded', () => {
  const answer = create(ExplainPathResponseSchema, {
    cells: [0, 0, 1, 0, 2, 0],
    g: [0, 1, 2],
    h: [2, 1, 0],
    parents: [0, 1, 2],
    expansions: [0, 1, 2],
    closed: [true, true, true],
  });
  const film = filmOf(answer, 1, true, [0.5, 0.5], [[2.5, 0.5]]);
  assert.deepEqual([...film.reachedAt], [0, 1, 2]);
  assert.deepEqual([...film.expandedAt], [0, 1, 2]);
  assert.deepEqual([...film.points], [0.5, 0.5, 1.5, 0.5, 2.5, 0.5]);
});

function randomBatch(roll: () => number): Change['batch'] {
  const id = () => BigInt(1 + Math.floor(roll() * 6));
  const cells = { case: 'cells' as const, value: { x0: 0, y0: 0, x1: 1 + Math.floor(roll() * 9), y1: 1 } };
  const kind = roll();
  if (kind < 0.5) return create(ChangeBatchSchema, { upsertObstacles: [{ id: id(), shape: cells, disabled: roll() < 0.3 }] });
  if (kind < 0.7) return create(ChangeBatchSchema, { removeObstacles: [id()] });
  return create(ChangeBatchSchema, { switchObstacles: [{ id: id(), enabled: roll() < 0.5 }] });
}

// As the server does it: a batch that names an unknown obstacle is refused.
function allowed(standing: Standing, batch: NonNullable<Change['batch']>): boolean {
  const named = [...batch.removeObstacles, ...batch.switchObstacles.map(({ id }) => id)];
  return named.every((id) => standing.obstacles.has(id));
}

function shown(standing: Standing): string {
  const rows = [...standing.obstacles.values()].map((one: Obstacle) => `${one.id} ${one.disabled} ${one.shape.case === 'cells' ? one.shape.value.x1 : ''}`);
  return rows.sort().join('; ');
}

test('history: from the batches since the beginning each revision is as it was', () => {
  const roll = dice(9);
  for (let game = 0; game < 60; ++game) {
    const now: Standing = { obstacles: new Map(), bodies: new Map() };
    const changes: Change[] = [];
    const seen = [shown(now)];
    while (changes.length < 30) {
      const batch = randomBatch(roll)!;
      if (!allowed(now, batch)) continue;
      applyTo(now, batch);
      changes.push(create(ChangeSchema, { revision: BigInt(changes.length + 2), batch }));
      seen.push(shown(now));
    }
    seen.forEach((want, i) => assert.equal(shown(standingAt(changes, now, BigInt(i + 1))), want, `game ${game}, revision ${i + 1}`));
  }
});

test('history: from what stood at the oldest revision each later one is as it was, whatever was before', () => {
  const roll = dice(11);
  for (let game = 0; game < 60; ++game) {
    const now: Standing = { obstacles: new Map(), bodies: new Map() };
    const changes: Change[] = [];
    const seen: string[] = [];
    let base: Base | undefined;
    while (changes.length < 30) {
      const batch = randomBatch(roll)!;
      if (!allowed(now, batch)) continue;
      applyTo(now, batch);
      changes.push(create(ChangeSchema, { revision: BigInt(changes.length + 2), batch }));
      seen.push(shown(now));
      if (changes.length === 12) base = { revision: 13n, obstacles: new Map(now.obstacles) };
    }
    const kept = changes.slice(12);
    for (let at = 13n; at <= 31n; ++at) {
      const want = seen[Number(at) - 2];
      assert.equal(shown(standingFrom(base!, kept, now, at)), want, `game ${game}, revision ${at}`);
      // Without the base it is right wherever it does not say that it may be wrong.
      if (doubtfulAt(kept, at) === 0) assert.equal(shown(standingAt(kept, now, at)), want, `game ${game}, revision ${at}, without`);
    }
  }
});

test('a batch in a few words', () => {
  const batch = create(ChangeBatchSchema, { removeObstacles: [1n, 2n], switchObstacles: [{ id: 3n, enabled: true }] });
  assert.equal(summary(batch), '2 obstacles removed, 1 obstacle shut');
});

test('every agent of any number has its place', () => {
  const table = new AgentTable({ send() {} } as unknown as Surface);
  table.begin(1);
  for (let count = 1; count <= 400; ++count) {
    const ids = Array.from({ length: count }, (_, i) => BigInt(i));
    table.look({
      whole: true,
      ids,
      heights: new Float32Array(count),
      at: Float32Array.from(ids.flatMap((id) => [Number(id), Number(id) + 0.5])),
      outlooks: new Uint8Array(count),
      waiting: new Uint8Array(count),
      removed: [],
      everyMs: 100,
      revision: 1n,
      settledRevision: 1n,
      waitingCount: 0n,
      lateCount: 0n,
    });
    for (const id of ids) assert.deepEqual(table.placeOf(table.rows.get(id)!), [Number(id), Number(id) + 0.5]);
  }
});

// Tests of the readout of a place, labels, hexagons, steps of profiles, and agents of the past.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { create } from '@bufbuild/protobuf';
import { CornerRule, Topology } from '../gen/repath/v1/common_pb';
import { EventType, PathEventSchema } from '../gen/repath/v1/event_pb';
import { ProfileSchema } from '../gen/repath/v1/profile_pb';
import { Pixels } from '../src/raster/canvas';
import { hexClearance, radiusMost } from '../src/raster/clearance';
import type { Film } from '../src/raster/film_pixels';
import { components } from '../src/raster/grid';
import { drawLabels } from '../src/raster/labels';
import { cellAt, filmNodeAt, graphAt } from '../src/raster/probe';
import { Scene } from '../src/raster/scene';
import { hexRow } from '../src/raster/view';
import { agentAt } from '../src/state/past_agents';
import { filmLines, linesOf, type Facts } from '../src/state/readout';
import { stepsOf, withSteps } from '../src/state/steps';
import { dice, gridOf, obstacle, palette, picture } from './picture';

const facts: Facts = { kind: 'grid', terrain: [{ name: 'floor' }, { name: 'wall' }], nodes: [], floor: '', nodeAt: () => undefined, effectOf: (id) => (id === '7' ? 'blocks' : 'is open') };

test('a cell of a grid: its ground, its cost, what lies on it', () => {
  const scene = new Scene();
  scene.grid = gridOf('..#', '...');
  scene.grid.put(obstacle('7', { kind: 'rect', x0: 0, y0: 0, x1: 1, y1: 1 }));
  scene.grid.put(obstacle('8', { kind: 'rect', x0: 0, y0: 0, x1: 2, y1: 1 }, { disabled: true }));
  scene.grid.put(obstacle('9', { kind: 'rect', x0: 1, y0: 1, x1: 2, y1: 2 }, { effect: 'cost', factor: 2.5 }));
  const said = (x: number, y: number) => linesOf(scene.probe(x, y, 0), facts).join(' | ');
  assert.equal(said(0.5, 0.5), 'cell 0, 0 | floor · blocked | obstacle 7 blocks · obstacle 8 is open');
  assert.equal(said(2.2, 0.9), 'cell 2, 0 | wall · blocked');
  assert.equal(said(1.5, 1.5), 'cell 1, 1 | floor · cost × 2.5 | obstacle 9 is open');
  assert.equal(said(-1, 5), 'cell -1, 5 | outside of the map');
  scene.setLayers({ ...scene.layers, ground: 'components' });
  assert.equal(said(2.5, 1.5), 'cell 2, 1 | floor · cost × 1 | component 1');
  scene.setLayers({ ...scene.layers, ground: 'clearance', radius: 1 });
  assert.equal(said(2.5, 1.5), 'cell 2, 1 | floor · cost × 1 | clearance 0.50 cells');
});

test('a cell of a mesh on the floor that is shown, and none beside it', () => {
  const mesh = { counts: Uint32Array.of(4, 4), corners: Float64Array.of(0, 0, 4, 0, 4, 4, 0, 4, 0, 0, 2, 0, 2, 2, 0, 2), floors: Uint8Array.of(0, 1) } as never;
  assert.deepEqual([cellAt(mesh, 1, 1, -1), cellAt(mesh, 1, 1, 0), cellAt(mesh, 3, 3, -1), cellAt(mesh, 3, 3, 1), cellAt(mesh, 5, 1, -1)], [1, 0, 0, -1, -1]);
});

test('a node of a graph before an edge, and nothing far from both', () => {
  const graph = { nodes: Float64Array.of(0, 0, 10, 0), edges: Uint32Array.of(0, 1), disabledNodes: new Uint8Array(2), disabledEdges: new Uint8Array(1) };
  assert.deepEqual(graphAt(graph, 0.5, 0.5, 1), { node: 0 });
  assert.deepEqual(graphAt(graph, 5, 0.5, 1), { edge: 0 });
  assert.equal(graphAt(graph, 5, 3, 1), undefined);
  const scene = new Scene();
  scene.graph = graph;
  assert.deepEqual(linesOf(scene.probe(5, 0, 1), { ...facts, kind: 'graph', nodes: [4n, 9n] }), ['edge 4 – 9']);
});

const film: Film = {
  grid: true,
  points: Float32Array.of(0.5, 0.5, 1.5, 0.5, 2.5, 0.5),
  parents: Uint32Array.of(0, 1, 2),
  order: Uint32Array.of(0, 1, 0, 2),
  reachedAt: Uint32Array.of(0, 1, 2),
  expandedAt: Uint32Array.of(0, 1, 3),
  g: Float32Array.of(0, 1, 2),
  h: Float32Array.of(2, 1, 0),
  path: new Float32Array(0),
  start: [0.5, 0.5],
  goals: [],
};

test('a node of a search: not reached, in the queue, expanded once and again', () => {
  const said = (step: number, x: number) => {
    const node = filmNodeAt(film, step, x, 0.2, 1);
    return node && filmLines(node, facts).join(' | ');
  };
  assert.equal(said(0, 1.7), 'not reached yet');
  assert.equal(said(1, 1.7), 'g 1.00 h 1.00 f 2.00 | in the queue · from 0, 0');
  assert.equal(said(2, 1.7), 'g 1.00 h 1.00 f 2.00 | expanded 2nd · from 0, 0');
  assert.equal(said(4, 0.1), 'g 0.00 h 2.00 f 2.00 | expanded 1st, 2 times by now');
  assert.equal(said(4, 7), undefined);
  assert.match(filmLines(filmNodeAt(film, 4, 1.7, 0.2, 1)!, { kind: 'graph', nodeAt: () => 12n })[1]!, /from node 12$/);
});

test('labels: digits on a ground of their own, doors in any layer, none where they do not fit', () => {
  const draw = (all: boolean, scale: number) => {
    const out = new Pixels(16, 13);
    out.data.fill(palette.wall);
    const shapes = [obstacle('17', { kind: 'rect', x0: 0, y0: 0, x1: 2, y1: 1.6 }, { door: false })];
    drawLabels(() => shapes, all, (x, y) => [x * scale, y * scale], scale, out, { ...palette, ink: palette.body }, 1);
    return picture(out);
  };
  assert.deepEqual(draw(true, 8), [
    '################',
    '#???????????????',
    '#???????????????',
    '#????B???BBBBB??',
    '#???BB???????B??',
    '#????B??????B???',
    '#????B?????B????',
    '#????B????B?????',
    '#????B????B?????',
    '#???BBB???B?????',
    '#???????????????',
    '#???????????????',
    '################',
  ]);
  assert.ok(draw(false, 8).every((row) => row === '#'.repeat(16)));
  assert.ok(draw(true, 5).every((row) => row === '#'.repeat(16)));
});

test('the colour of an obstacle is that of its id, whatever else is there', () => {
  const cell = { kind: 'rect', x0: 1, y0: 0, x1: 2, y1: 1 } as const;
  const colour = (...ids: string[]) => {
    const grid = gridOf('..');
    grid.show('obstacles', 0);
    for (const id of ids) grid.put(obstacle(id, id === '5' ? cell : { ...cell, x0: 0, x1: 1 }));
    grid.settle();
    return grid.coloursOf(0, 0)[1];
  };
  assert.equal(colour('4', '5'), colour('5'));
});

test('hexagons: the second cell in the row above and below is a neighbour too', () => {
  const label = (rows: string[]) => [...components(rows[0]!.length, rows.length, (x, y) => rows[y]![x] === '.', true)];
  // Row 1 is odd: its cell 0 touches 0 and 1 of the rows beside it.
  assert.deepEqual(label(['#.', '.#', '#.']), [0, 1, 1, 0, 0, 1]);
  // Row 2 is even: its cell 1 touches 0 and 1.
  assert.deepEqual(label(['##', '.#', '#.']), [0, 0, 1, 0, 0, 1]);
  assert.notEqual(label(['##', '#.', '.#'])[3], label(['##', '#.', '.#'])[4]);
});

// The distance from the origin to the hexagon around a point: the least over many points of its border.
function toHexagon(cx: number, cy: number): number {
  let least = Infinity;
  for (let i = 0; i < 6; ++i) {
    const corner = (k: number) => [cx + Math.sin((k * Math.PI) / 3) / Math.sqrt(3), cy + Math.cos((k * Math.PI) / 3) / Math.sqrt(3)] as const;
    const [[ax, ay], [bx, by]] = [corner(i), corner(i + 1)];
    const t = Math.max(0, Math.min(1, -(ax * (bx - ax) + ay * (by - ay)) / ((bx - ax) ** 2 + (by - ay) ** 2)));
    least = Math.min(least, Math.hypot(ax + t * (bx - ax), ay + t * (by - ay)));
  }
  return least;
}

test('the room around a hexagon is the distance to the nearest blocked one or the outside', () => {
  const roll = dice(11);
  for (let round = 0; round < 12; ++round) {
    const [width, height] = [1 + Math.floor(16 * roll()), 1 + Math.floor(16 * roll())];
    const wall = Array.from({ length: width * height }, () => roll() < 0.06);
    const blocked = (x: number, y: number) => x < 0 || y < 0 || x >= width || y >= height || wall[y * width + x]!;
    const room = hexClearance(width, height, (x, y) => !blocked(x, y));
    for (let y = 0; y < height; ++y) {
      for (let x = 0; x < width; ++x) {
        let least = blocked(x, y) ? 0 : radiusMost;
        for (let v = -2; v < height + 2; ++v) {
          for (let u = -2; u < width + 2; ++u) {
            if (!blocked(u, v) || (u === x && v === y)) continue;
            least = Math.min(least, toHexagon(u + (v & 1) / 2 - x - (y & 1) / 2, (v - y) * hexRow));
          }
        }
        assert.ok(Math.abs(room[y * width + x]! - least) < 1e-5, `${x}, ${y} of ${width} x ${height}: ${room[y * width + x]} is not ${least}`);
      }
    }
  }
});

test('other steps: a profile that the world has, or one that can be added', () => {
  const profile = (name: string, topology: Topology, cornerRule: CornerRule, radius = 0) => create(ProfileSchema, { name, topology, cornerRule, radius });
  const all = [profile('default', Topology.TOPOLOGY_8, CornerRule.NONE), profile('rook', Topology.TOPOLOGY_4, CornerRule.UNSPECIFIED), profile('cart', Topology.TOPOLOGY_8, CornerRule.ONE, 1)];
  const four = { topology: Topology.TOPOLOGY_4, cornerRule: CornerRule.NONE };
  assert.deepEqual([withSteps(all, all[0]!, four).profile.name, withSteps(all, all[0]!, four).isNew], ['rook', false]);
  const added = withSteps(all, all[2]!, four);
  assert.deepEqual([added.profile.name, added.profile.radius, added.profile.topology, added.isNew], ['cart-4', 1, Topology.TOPOLOGY_4, true]);
  assert.equal(withSteps(all, all[0]!, { topology: Topology.TOPOLOGY_8, cornerRule: CornerRule.ONE }).profile.name, 'default-8-corners');
  assert.deepEqual(stepsOf(all[1]!), four);
});

test('an agent of the past stands where its latest verdict up to then found it', () => {
  const event = (revision: bigint, type: EventType, x: number, positions: number[] = []) => create(PathEventSchema, { revision, type, agentId: 3n, position: { x, z: 0.5 }, path: { positions, status: 1 } });
  const events = [
    event(2n, EventType.NEW_PATH, 1, [1, 0, 0.5, 9, 0, 0.5]),
    event(5n, EventType.INVALIDATED, 3),
    event(5n, EventType.REPLANNED, 3, [3, 0, 0.5, 3, 0, 4]),
    create(PathEventSchema, { revision: 8n, type: EventType.REMOVED, agentId: 3n }),
  ];
  assert.equal(agentAt(3n, events, 1n, 1), undefined);
  assert.deepEqual([agentAt(3n, events, 4n, 1)?.at, [...agentAt(3n, events, 4n, 1)!.path!]], [[1, 0.5], [1, 0.5, 9, 0.5]]);
  assert.deepEqual([...agentAt(3n, events, 6n, 1)!.path!], [3, 0.5, 3, 4]);
  assert.equal(agentAt(3n, events, 8n, 1), undefined);
});

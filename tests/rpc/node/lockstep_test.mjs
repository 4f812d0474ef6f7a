// The claims of settled_revision, checked from outside: the client's own clock, its own grid at
// every revision, and its own plain search.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { refused } from './decode.mjs';
import { cells_of, close_to } from './grid.mjs';
import { Random, seed } from './random.mjs';
import { start_server } from './server.mjs';
import { Session } from './session.mjs';
import { agent, apply, import_rows, shut, two_rooms, upper_door } from './worlds.mjs';

let server;
before(async () => (server = await start_server()));
after(() => server.stop());

const paths = /_(NEW_PATH|REPLANNED|IMPROVED)$/; // Verdicts that come with a path.
const budget = 64; // The least budget, so that searches take several frames.
const goals = [
  { x: 1, y: 1 },
  { x: 30, y: 1 },
  { x: 30, y: 22 },
  { x: 17, y: 13 },
];

// Four rows of four rooms. Every wall between two rooms has a door cell; obstacles will shut some
// of them.
function rooms() {
  const rows = [];
  for (let y = 0; y < 24; ++y) {
    let row = '';
    for (let x = 0; x < 32; ++x) {
      const wall = x % 8 === 0 || y % 6 === 0 || x === 31 || y === 23;
      const outer = x === 0 || y === 0 || x === 31 || y === 23;
      const door = x % 8 === 4 || y % 6 === 3;
      row += wall && (outer || !door) ? '#' : '.';
    }
    rows.push(row);
  }
  return rows;
}

// The world from the test's point of view: a grid for every revision, its doors, and the agents'
// places.
class Game {
  constructor(grid, random) {
    this.random = random;
    this.grids = new Map([[1, grid]]); // By revision.
    this.revision = 1;
    this.doors = [];
    for (let y = 1; y < grid.height - 1; ++y) {
      for (let x = 1; x < grid.width - 1; ++x) {
        const horizontal = !grid.free(x, y - 1) && !grid.free(x, y + 1);
        const vertical = !grid.free(x - 1, y) && !grid.free(x + 1, y);
        if (!grid.free(x, y) || horizontal === vertical) continue;
        const cells = { x0: x, y0: y, x1: x + 1, y1: y + 1 };
        this.doors.push({ id: String(this.doors.length + 1), cells, is_shut: false });
      }
    }
    this.walkers = new Map(); // By agent id: {cell, goal}.
  }

  get grid() {
    return this.grids.get(this.revision);
  }

  free_cell() {
    for (;;) {
      const cell = {
        x: this.random.below(this.grid.width),
        y: this.random.below(this.grid.height),
      };
      if (this.grid.free(cell.x, cell.y)) return cell;
    }
  }

  // Returns one to three doors that change together, as a ChangeBatch.
  change_doors() {
    const grid = this.grid.copy();
    const upsert_obstacles = [];
    const chosen = new Set();
    for (let n = 1 + this.random.below(3); n > 0; --n) chosen.add(this.random.of(this.doors));
    for (const door of chosen) {
      door.is_shut = !door.is_shut;
      if (door.is_shut) grid.shut(door.cells);
      else grid.open(door.cells);
      upsert_obstacles.push({
        id: door.id,
        cells: door.cells,
        blocked: true,
        disabled: !door.is_shut,
      });
    }
    this.revision += 1;
    this.grids.set(this.revision, grid);
    return { upsert_obstacles };
  }

  // Throws unless `event`, which is not CONFIRMED, is true at its own revision.
  check_event({ type, agent_id, revision, cell, path }) {
    const { goal } = this.walkers.get(agent_id);
    const grid = this.grids.get(Number(revision));
    const what = `${type} of agent ${agent_id} at revision ${revision}`;
    if (type === 'EVENT_TYPE_UNREACHABLE') {
      assert.equal(grid.cost(cell, goal), Infinity, what);
    } else if (type === 'EVENT_TYPE_START_BLOCKED') {
      assert.equal(grid.free(cell.x, cell.y), false, what);
    } else if (type !== 'EVENT_TYPE_INVALIDATED') {
      assert.match(type, paths, what);
      this.grids.get(Number(path.revision)).check_cheapest(path, cell, goal);
    }
  }

  // Throws unless the verdict of this type, with the held path, is true of the agent at `revision`
  // while it is in `cell`.
  check_standing({ id, type, held, cell }, revision) {
    const { goal } = this.walkers.get(id);
    const grid = this.grids.get(revision);
    const cheapest = grid.cost(cell, goal);
    const what = `agent ${id} at revision ${revision}, silent since ${type}`;
    if (!grid.free(cell.x, cell.y)) {
      assert.equal(type, 'EVENT_TYPE_START_BLOCKED', what);
    } else if (cheapest === Infinity) {
      assert.equal(type, 'EVENT_TYPE_UNREACHABLE', what);
    } else {
      assert.match(type, paths, what);
      const cells = cells_of(held);
      const at = cells.findIndex(({ x, y }) => x === cell.x && y === cell.y);
      assert.ok(at >= 0, `${what}: the agent is on its path`);
      assert.deepEqual(cells[cells.length - 1], goal, what);
      // The part of the path behind the agent does not count.
      close_to(grid.cost_of_walk(cells.slice(at)), cheapest, what);
    }
  }
}

class Lockstep {
  constructor(game, session, world) {
    Object.assign(this, { game, session, world });
    // By agent: {id, type: of its latest verdict with news, held: its path}.
    this.standings = new Map();
  }

  // Runs one frame and reads the stream as far as the answer refers to it.
  async tick(budget_work_units = budget) {
    const { session_id } = this.session.opened;
    const answer = await server.api.agent.Tick({
      world: this.world,
      session_id,
      budget_work_units,
    });
    const seen = this.session.events.length;
    await this.session.until(({ last_batch }) => last_batch >= Number(answer.last_batch_number));
    for (const event of this.session.events.slice(seen)) this.#take(event);
    return answer;
  }

  // Ticks until every action sent has taken effect.
  async applied() {
    let answer = await this.tick();
    while (Number(answer.applied_sequence) < this.session.last_action) answer = await this.tick();
    return answer;
  }

  #take(event) {
    const id = event.agent_id;
    const standing = this.standings.get(id) ?? { id };
    if (event.type === 'EVENT_TYPE_CONFIRMED') {
      this.game.check_standing({ ...standing, cell: event.cell }, Number(event.revision));
      return;
    }
    this.game?.check_event(event);
    standing.type = event.type;
    if (event.path?.cells.length > 0) standing.held = event.path;
    this.standings.set(id, standing);
  }

  // Throws unless all silence is true up to this revision.
  check(settled_revision) {
    for (const [id, event] of this.session.latest) {
      // The agent's latest event is newer than the claim.
      if (Number(event.revision) > settled_revision) continue;
      const { cell } = this.game.walkers.get(id);
      this.game.check_standing({ ...this.standings.get(id), cell }, settled_revision);
    }
  }

  // Some agents walk a few cells along their paths.
  walk() {
    const positions = [];
    for (const [id, { type, held }] of this.standings) {
      const walker = this.game.walkers.get(id);
      if (this.game.random.below(4) > 0 || !paths.test(type)) continue;
      const cells = cells_of(held);
      const at = cells.findIndex(({ x, y }) => x === walker.cell.x && y === walker.cell.y);
      const next = cells[Math.min(at + 2, cells.length - 1)];
      if (at < 0 || !this.game.grid.free(next.x, next.y)) continue;
      walker.cell = next;
      positions.push({ id, position: { cell: next }, path_version: held.path_version });
    }
    if (positions.length > 0) this.session.send({ report: { positions } });
  }
}

test('settled_revision is true at every frame of a changing world', async (t) => {
  const random = new Random(seed());
  t.diagnostic(`REPATH_TEST_SEED=${seed()}`);
  const world = 'lockstep';
  const game = new Game(await import_rows(server.api, world, rooms(), { lockstep: true }), random);
  const session = await Session.open(server.api, { world });
  const lockstep = new Lockstep(game, session, world);
  for (let i = 1; i <= 24; ++i) {
    game.walkers.set(String(i), { cell: game.free_cell(), goal: random.of(goals) });
  }
  const agents = [...game.walkers].map(([id, { cell, goal }]) => agent(id, cell, goal));
  session.send({ upsert: { agents } });

  const lag = new Set();
  for (let step = 0; step < 150; ++step) {
    if (random.below(2) === 0) {
      const answer = await apply(server.api, world, game.change_doors());
      assert.equal(Number(answer.revision), game.revision);
    }
    lockstep.walk();
    const { settled_revision, revision } = await lockstep.applied();
    assert.equal(Number(revision), game.revision);
    lag.add(game.revision - Number(settled_revision));
    lockstep.check(Number(settled_revision));
  }
  assert.ok(lag.size > 1, 'the budget is small enough for settled_revision to fall behind');

  let last = await lockstep.tick();
  for (let frames = 0; Number(last.settled_revision) < game.revision; ++frames) {
    assert.ok(frames < 2000, 'everybody settles once the world is still');
    last = await lockstep.tick();
  }
  assert.equal(last.backlog, '0');
  lockstep.check(game.revision);
  assert.equal(session.latest.size, game.walkers.size);
  session.stream.cancel();
});

test('A frame spends no more than its budget', async () => {
  await import_rows(server.api, 'budget', rooms(), { lockstep: true });
  const agents = Array.from({ length: 50 }, (_, i) =>
    agent(String(i), { x: 1, y: 1 + (i % 4) }, goals[i % 3]),
  );
  await server.api.agent.UpsertAgents({ world: 'budget', agents });
  for (let frame = 1, waiting = agents.length; waiting > 0; ++frame) {
    assert.ok(frame < 2000, 'the backlog is worked off');
    const answer = await server.api.agent.Tick({ world: 'budget', budget_work_units: budget });
    assert.ok(Number(answer.used_work_units) <= budget, `${answer.used_work_units} work units`);
    assert.equal(Number(answer.frame), frame);
    assert.ok(Number(answer.backlog) <= waiting, 'nobody joins the backlog of a still world');
    waiting = Number(answer.backlog);
  }
});

test('Without a Tick nothing is planned, but a shut door is told at once', async () => {
  const world = 'still';
  await import_rows(server.api, world, two_rooms, { lockstep: true });
  const session = await Session.open(server.api, { world });
  const lockstep = new Lockstep(null, session, world);
  session.send({ upsert: { agents: [agent('5', { x: 2, y: 3 }, { x: 14, y: 3 })] } });
  await lockstep.applied();
  while (!session.latest.has('5')) await lockstep.tick();
  const { revision } = await apply(server.api, world, shut(upper_door));
  await session.until(({ latest }) => latest.get('5').revision === revision);
  assert.equal(session.latest.get('5').type, 'EVENT_TYPE_INVALIDATED');
  assert.ok(Number(session.read.settled_revision) < Number(revision));
  while (session.latest.get('5').type !== 'EVENT_TYPE_REPLANNED') await lockstep.tick();
  session.stream.cancel();
});

test('The same commands give the same state hash and frames', async () => {
  const runs = [];
  for (const world of ['twin-a', 'twin-b']) {
    await import_rows(server.api, world, two_rooms, { lockstep: true });
    await apply(server.api, world, shut(upper_door));
    await server.api.agent.UpsertAgents({
      world,
      agents: [agent('1', { x: 1, y: 1 }, { x: 15, y: 8 })],
    });
    const ticks = [];
    for (let i = 0; i < 5; ++i)
      ticks.push(await server.api.agent.Tick({ world, budget_work_units: budget }));
    const { agents } = await server.api.agent.ListAgents({ world, with_paths: true });
    runs.push({
      ticks,
      digest: agents[0].verdict.path.digest,
      cells: agents[0].verdict.path.cells,
    });
  }
  assert.deepEqual(runs[0], runs[1]);
});

test('Tick is refused on a world that runs by the server clock', async () => {
  await import_rows(server.api, 'clocked', two_rooms);
  await refused(server.api.agent.Tick({ world: 'clocked' }), {
    status: 'FAILED_PRECONDITION',
    reason: 'NOT_LOCKSTEP',
  });
});

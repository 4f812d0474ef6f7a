// The tests' own model of a world: cells, the octile metric without cut corners, and a plain
// search.
import assert from 'node:assert/strict';

const straight = 1;
const diagonal = Math.SQRT2;
const relative_error = 1e-6;
const steps = [
  [1, 0, straight],
  [-1, 0, straight],
  [0, 1, straight],
  [0, -1, straight],
  [1, 1, diagonal],
  [1, -1, diagonal],
  [-1, 1, diagonal],
  [-1, -1, diagonal],
];

export function close_to(actual, expected, what) {
  assert.ok(
    Math.abs(actual - expected) <= relative_error * Math.max(1, Math.abs(expected)),
    `${what}: ${actual} instead of ${expected}`,
  );
}

// A grid of free and blocked cells with 8 neighbours; a diagonal needs both flanks free.
export class Grid {
  constructor(width, height) {
    this.width = width;
    this.height = height;
    this.cover = new Uint8Array(width * height); // Number of things that block the cell.
  }

  // Makes a grid from rows of text: '#' is blocked.
  static drawn(rows) {
    const grid = new Grid(rows[0].length, rows.length);
    rows.forEach((row, y) => {
      for (let x = 0; x < row.length; ++x) grid.cover[y * grid.width + x] = row[x] === '#' ? 1 : 0;
    });
    return grid;
  }

  copy() {
    const grid = new Grid(this.width, this.height);
    grid.cover.set(this.cover);
    return grid;
  }

  shut({ x0, y0, x1, y1 }) {
    this.#add(x0, y0, x1, y1, 1);
  }

  open({ x0, y0, x1, y1 }) {
    this.#add(x0, y0, x1, y1, -1);
  }

  #add(x0, y0, x1, y1, count) {
    for (let y = y0; y < y1; ++y) {
      for (let x = x0; x < x1; ++x) this.cover[y * this.width + x] += count;
    }
  }

  free(x, y) {
    return (
      x >= 0 && y >= 0 && x < this.width && y < this.height && this.cover[y * this.width + x] === 0
    );
  }

  may_step(x, y, dx, dy) {
    return (
      this.free(x, y) && this.free(x + dx, y + dy) && this.free(x + dx, y) && this.free(x, y + dy)
    );
  }

  // Returns the cost from `from` to every cell (Infinity if there is no path): Dijkstra with a
  // plain list by cost.
  costs_from({ x, y }) {
    const costs = new Float64Array(this.width * this.height).fill(Infinity);
    if (!this.free(x, y)) return costs;
    const open = [{ x, y, cost: 0 }];
    costs[y * this.width + x] = 0;
    while (open.length > 0) {
      const here = open.pop();
      if (here.cost > costs[here.y * this.width + here.x]) continue;
      for (const [dx, dy, length] of steps) {
        if (!this.may_step(here.x, here.y, dx, dy)) continue;
        const next = { x: here.x + dx, y: here.y + dy, cost: here.cost + length };
        const index = next.y * this.width + next.x;
        if (next.cost >= costs[index]) continue;
        costs[index] = next.cost;
        insert_by_cost(open, next);
      }
    }
    return costs;
  }

  cost(from, to) {
    return this.costs_from(from)[to.y * this.width + to.x];
  }

  // Returns the cost of walking these cells one after the other; throws if the walk is blocked.
  cost_of_walk(cells) {
    let cost = 0;
    for (let i = 1; i < cells.length; ++i) {
      const { x, y } = cells[i - 1];
      const [dx, dy] = [cells[i].x - x, cells[i].y - y];
      assert.ok(this.may_step(x, y, dx, dy), `no step from ${x},${y}`);
      cost += dx !== 0 && dy !== 0 ? diagonal : straight;
    }
    return cost;
  }

  // Throws unless `path` is a cheapest path from `from` to `to` and claims so.
  check_cheapest(path, from, to) {
    const cells = cells_of(path);
    assert.deepEqual(cells[0], from, 'the path begins at the agent');
    assert.deepEqual(cells[cells.length - 1], to, 'the path ends at the goal');
    close_to(this.cost_of_walk(cells), this.cost(from, to), 'cost of the cells of the path');
    close_to(path.cost, this.cost(from, to), 'cost told');
  }
}

// Returns every cell of a path whose `cells` are its turns, walls or not.
export function cells_of(path) {
  const turns = [];
  for (let i = 0; i < path.cells.length; i += 2) {
    turns.push({ x: path.cells[i], y: path.cells[i + 1] });
  }
  assert.ok(turns.length > 0, 'a path has a waypoint');
  const cells = [turns[0]];
  for (const turn of turns.slice(1)) {
    let here = cells[cells.length - 1];
    const [dx, dy] = [turn.x - here.x, turn.y - here.y];
    const is_straight = dx === 0 || dy === 0 || Math.abs(dx) === Math.abs(dy);
    assert.ok(is_straight, 'waypoints are joined by a row, column or diagonal');
    while (here.x !== turn.x || here.y !== turn.y) {
      here = { x: here.x + Math.sign(dx), y: here.y + Math.sign(dy) };
      cells.push(here);
    }
  }
  return cells;
}

// `open` is sorted with the cheapest last.
function insert_by_cost(open, item) {
  let low = 0;
  let high = open.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (open[middle].cost > item.cost) low = middle + 1;
    else high = middle;
  }
  open.splice(low, 0, item);
}

// Worlds for the tests and for the measurement.

// A hall of 60 x 40 cells: a wall from top to bottom with two doors in it, ids 1 and 2, and agents that go across.
// With both doors shut no agent gets through.
export const hall = { width: 60, height: 40, wall: 30, doors: [8, 30] };

function cells(x0, y0, x1, y1) {
  return { x0, y0, x1, y1 };
}

export async function make_hall(server, name = 'hall', agents = 6) {
  await server.call('WorldService/CreateWorld', { name, width: hall.width, height: hall.height });
  const [first, second] = hall.doors;
  const upsertObstacles = [
    { id: '100', cells: cells(30, 0, 31, first), blocked: true },
    { id: '1', cells: cells(30, first, 31, first + 3), blocked: true, disabled: true },
    { id: '101', cells: cells(30, first + 3, 31, second), blocked: true },
    { id: '2', cells: cells(30, second, 31, second + 3), blocked: true, disabled: true },
    { id: '102', cells: cells(30, second + 3, 31, hall.height), blocked: true },
  ];
  await server.call('WorldService/ApplyChanges', { world: name, batch: { upsertObstacles } });
  await server.call('AgentService/UpsertAgents', {
    world: name,
    agents: Array.from({ length: agents }, (_, i) => ({
      id: String(i + 1),
      position: { cell: { x: 5, y: 3 + i * 4 } },
      goals: [{ cell: { x: 54, y: 5 + i * 3 } }],
    })),
  });
}

// A field of 30 x 20 cells: a marsh in columns 4 to 9 that the profile `cart` may not enter, and a fence in columns 20 to
// 25 that only team 1 meets.
export async function make_field(server, name = 'field') {
  await server.call('WorldService/CreateWorld', {
    name,
    width: 30,
    height: 20,
    terrainClasses: [
      { name: 'grass', symbol: '.', factor: 1 },
      { name: 'marsh', symbol: '~', factor: 2 },
    ],
    profiles: [{ name: 'default' }, { name: 'cart', terrainRules: [{ terrainClass: 'marsh', forbidden: true }] }],
  });
  await server.call('WorldService/ApplyChanges', {
    world: name,
    batch: {
      terrainEdits: [{ cells: cells(4, 0, 10, 20), terrainClass: 'marsh' }],
      upsertObstacles: [{ id: '1', cells: cells(20, 0, 26, 20), blocked: true, teamMask: 2 }],
    },
  });
}

// A sequence of numbers below 1 that is the same each time.
export function dice(seed) {
  let state = seed >>> 0;
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 2 ** 32;
  };
}

// A map of 1024 x 1024 cells with 2,000 buildings and 10,000 agents that go to 16 places.
export async function make_city(server, name, agents = 10_000) {
  const side = 1024;
  const roll = dice(28);
  const whole = (below) => Math.floor(roll() * below);
  await server.call('WorldService/CreateWorld', { name, width: side, height: side });
  const taken = new Uint8Array(side * side);
  const upsertObstacles = [];
  for (let id = 1; id <= 2000; ++id) {
    const [x0, y0] = [whole(side - 12), whole(side - 12)];
    const [x1, y1] = [x0 + 3 + whole(9), y0 + 3 + whole(9)];
    upsertObstacles.push({ id: String(id), cells: cells(x0, y0, x1, y1), blocked: true });
    for (let y = y0; y < y1; ++y) taken.fill(1, y * side + x0, y * side + x1);
  }
  await server.call('WorldService/ApplyChanges', { world: name, batch: { upsertObstacles } });
  const free = () => {
    for (;;) {
      const [x, y] = [whole(side), whole(side)];
      if (!taken[y * side + x]) return { cell: { x, y } };
    }
  };
  const goals = Array.from({ length: 16 }, free);
  const all = Array.from({ length: agents }, (_, i) => ({ id: String(i + 1), position: free(), goals: [goals[i % 16]] }));
  for (let i = 0; i < agents; i += 2000) {
    await server.call('AgentService/UpsertAgents', { world: name, agents: all.slice(i, i + 2000) });
  }
}

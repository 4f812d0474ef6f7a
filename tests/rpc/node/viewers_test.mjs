// Many viewers of one world, one of which reads too slowly: each sees where the agents are at the end, the slow one by
// the newest picture alone. The mean times of frames with viewers and without are printed, not checked.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { isDeepStrictEqual } from 'node:util';
import { start_server } from './server.mjs';
import { import_rows } from './worlds.mjs';

const viewers = 24;
const side = 64;
const agents = 3000;
const walk_ms = 2500;
const frame_ms = 50;

let server;
before(async () => (server = await start_server()));
after(() => server.stop());

const pause = (ms) => new Promise((done) => setTimeout(done, ms));
const cell_of = (id, step) => ({ x: (id + step) % side, y: Math.floor(id / side) % side });

// What a viewer knows: x and y of each agent in 1/64 of a cell.
class Picture {
  places = new Map();
  messages = 0;
  wholes = 0;
  skipped = 0;

  take(message) {
    this.messages += 1;
    this.skipped += Number(message.skipped);
    if (message.whole) {
      this.wholes += 1;
      this.places.clear();
    }
    let id = 0;
    message.agents.forEach((step, i) => {
      id += Number(step);
      this.places.set(id, [message.positions[2 * i], message.positions[2 * i + 1]]);
    });
    for (const gone of message.removed) this.places.delete(Number(gone));
  }
}

function watch(world) {
  const stream = server.api.debug.WatchView({ world });
  const picture = new Picture();
  stream.call.on('data', (message) => picture.take(message));
  return { stream, picture };
}

// Sends the places of all agents, once for each frame, until the time is over. Returns the last step.
async function walk(world) {
  const until = Date.now() + walk_ms;
  let step = 0;
  while (Date.now() < until) {
    step += 1;
    const positions = Array.from({ length: agents }, (_, i) => ({ id: i + 1, position: { cell: cell_of(i + 1, step) } }));
    await server.api.agent.ReportPositions({ world, positions });
    await pause(frame_ms);
  }
  return step;
}

// Returns the mean planning time of the frames while the agents walked, and their last step.
async function walk_timed(world) {
  const before = await frames();
  const end = await walk(world);
  const now = await frames();
  return { end, mean: `${(((now.seconds - before.seconds) / (now.count - before.count)) * 1e6).toFixed(0)} us` };
}

// Waits until the condition holds, at most 20 s.
async function wait_until(holds) {
  const end = Date.now() + 20_000;
  while (!holds() && Date.now() < end) await pause(50);
}

async function frames() {
  const text = await (await fetch(`http://${server.admin}/metrics`)).text();
  const sum_of = (name) =>
    [...text.matchAll(new RegExp(`^${name}(?:{[^}]*})? (.*)$`, 'gm'))].reduce((sum, [, value]) => sum + Number(value), 0);
  return { seconds: sum_of('repath_frame_seconds_sum'), count: sum_of('repath_frame_seconds_count') };
}

test(`${viewers} viewers, one of which reads nothing for a while, all see the end`, async (t) => {
  const world = 'seen';
  await import_rows(server.api, world, Array(side).fill('.'.repeat(side)));
  for (let first = 1; first <= agents; first += 500) {
    const some = Array.from({ length: 500 }, (_, i) => {
      const id = first + i;
      return { id, position: { cell: cell_of(id, 0) }, goals: [{ cell: { x: 32, y: 32 } }] };
    });
    await server.api.agent.UpsertAgents({ world, agents: some });
  }
  await walk(world); // Until everybody has a path.
  const quiet = await walk_timed(world);

  const all = Array.from({ length: viewers }, () => watch(world));
  const [slow, ...prompt] = all;
  await slow.stream.next();
  slow.stream.call.pause();
  const { end, mean } = await walk_timed(world);
  t.diagnostic(`mean time of a frame: without viewers ${quiet.mean}, with ${viewers} viewers ${mean}`);
  const wanted = new Map(
    Array.from({ length: agents }, (_, i) => {
      const { x, y } = cell_of(i + 1, end);
      return [i + 1, [x * 64 + 32, y * 64 + 32]];
    }),
  );
  const sees_the_end = ({ picture }) => isDeepStrictEqual(picture.places, wanted);
  await wait_until(() => prompt.every(sees_the_end));
  for (const { picture } of prompt) {
    assert.deepEqual(picture.places, wanted);
    assert.ok(picture.messages > 10, `${picture.messages} pictures in ${walk_ms} ms`);
  }
  slow.stream.call.resume();
  await wait_until(() => slow.picture.skipped > 0);
  assert.ok(slow.picture.skipped > 0, 'pictures were left out for the slow viewer');
  assert.ok(slow.picture.wholes >= 2, 'what was left out is made good by a whole picture');
  await wait_until(() => sees_the_end(slow));
  assert.deepEqual(slow.picture.places, wanted);
  // One of the others may have been slow by itself.
  assert.ok(slow.picture.messages < Math.max(...prompt.map(({ picture }) => picture.messages)));
  for (const { stream } of all) stream.cancel();
});

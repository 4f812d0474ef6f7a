// Messages that are too long, or are not messages at all, for every method of every service.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { methods_of } from './api.mjs';
import { fault_of, Fault } from './decode.mjs';
import { start_server } from './server.mjs';
import { worlds_now } from './table.mjs';

const message_max = 4 * 1024 * 1024;
const keys = ['world', 'path', 'agent', 'debug'];

let server;
let api;
before(async () => {
  server = await start_server();
  api = server.api;
  await api.world.CreateWorld({ name: 'anchor', width: 8, height: 8 });
});
after(() => server.stop());

// A message of exactly this many bytes: one field 100, which no message has and every receiver
// skips.
function padded(length) {
  const head = 2 + 4; // The tag and the length as a varint of four bytes.
  const size = length - head;
  const bytes = Buffer.alloc(length);
  bytes.set([
    0xa2,
    0x06,
    (size & 0x7f) | 0x80,
    ((size >> 7) & 0x7f) | 0x80,
    ((size >> 14) & 0x7f) | 0x80,
    size >> 21,
  ]);
  return bytes;
}

// Sends raw bytes as the first message of any method. Returns the Fault, or null if the call was
// answered.
async function outcome_of(key, method, bytes) {
  if (!methods_of(key)[method].requestStream && !methods_of(key)[method].responseStream) {
    return api[key].raw(method, bytes).then(
      () => null,
      (error) => error,
    );
  }
  const stream = api[key].raw_stream(method);
  stream.write(bytes);
  stream.call.end();
  try {
    await stream.next();
    return null;
  } catch (error) {
    return error;
  } finally {
    stream.cancel();
  }
}

async function each_method(check) {
  const before_it = await worlds_now(api);
  for (const key of keys) {
    for (const method of Object.keys(methods_of(key))) {
      await check(`${key}.${method}`, (bytes) => outcome_of(key, method, bytes));
      assert.deepEqual(await worlds_now(api), before_it, `${key}.${method} changed a world`);
    }
  }
}

test('4 MiB + 1 is RESOURCE_EXHAUSTED, 4 MiB is read', () =>
  each_method(async (what, send) => {
    const too_long = await send(padded(message_max + 1));
    assert.ok(too_long instanceof Fault, `${what}: ${too_long}`);
    assert.equal(too_long.status, 'RESOURCE_EXHAUSTED', what);
    const longest = await send(padded(message_max));
    if (longest !== null) assert.notEqual(longest.status, 'RESOURCE_EXHAUSTED', what);
  }));

test('An empty message has a typed answer', () =>
  each_method(async (what, send) => {
    const fault = await send(Buffer.alloc(0));
    if (what === 'world.ListWorlds') {
      assert.equal(fault, null);
    } else {
      assert.ok(fault instanceof Fault, `${what}: ${fault}`);
      assert.match(fault.status, /^(INVALID_ARGUMENT|NOT_FOUND)$/, what);
      assert.equal(fault.infos.length, 1, what);
    }
  }));

const no_messages = {
  'a length that leads past the end': [0x0a, 0x7f, 0x41],
  'a tag of a group that nobody closes': [0x0b],
  'a varint without an end': Array(20).fill(0xff),
  'field number 0': [0x00, 0x01],
  'a string that is no UTF-8': [0x0a, 0x02, 0xc3, 0x28],
};

test('Bytes that are no message have a typed answer', () =>
  each_method(async (what, send) => {
    for (const [kind, bytes] of Object.entries(no_messages)) {
      const fault = await send(Buffer.from(bytes));
      const text = `${what}, ${kind}: ${fault?.message}`;
      // Its field 1 is a number, so text in it is skipped as unknown.
      if (what === 'world.ListWorlds' && fault === null) continue;
      assert.ok(fault instanceof Fault, text);
      assert.match(fault.status, /^(INTERNAL|UNIMPLEMENTED|INVALID_ARGUMENT|NOT_FOUND)$/, text);
    }
  }));

test('A text that is no UTF-8 is refused, not stored', async () => {
  const name = [0x0a, 0x02, 0xc3, 0x28];
  const width_and_height = [0x10, 0x04, 0x18, 0x04];
  const bytes = Buffer.from([...name, ...width_and_height]);
  const before_it = await worlds_now(api);
  await fault_of(api.world.raw('CreateWorld', bytes));
  assert.deepEqual(await worlds_now(api), before_it);
});

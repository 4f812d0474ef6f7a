// The services that every gRPC tool expects: health for each service, reflection, deadlines,
// concurrent connections.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { connect } from './api.mjs';
import { Fault, fault_of } from './decode.mjs';
import { start_server } from './server.mjs';

let server;
before(async () => (server = await start_server()));
after(() => server.stop());

const names = ['WorldService', 'PathService', 'AgentService', 'DebugService', 'AdminService'].map(
  (name) => `repath.v1.${name}`,
);

test('Every service is healthy, and so is the whole', async () => {
  for (const service of ['', ...names]) {
    assert.deepEqual(await server.api.health.Check({ service }), { status: 'SERVING' }, service);
  }
  const fault = await fault_of(server.api.health.Check({ service: 'repath.v1.NoService' }));
  assert.equal(fault.status, 'NOT_FOUND');
});

test('Health can be watched, and says NOT_SERVING while the server drains', async () => {
  const other = await start_server();
  const watch = other.api.health.Watch({ service: names[0] });
  assert.deepEqual(await watch.next(), { status: 'SERVING' });
  other.child.kill('SIGTERM');
  const last = await watch.next().catch((error) => error);
  if (last instanceof Fault) assert.match(last.status, /^(UNAVAILABLE|CANCELLED)$/);
  else assert.deepEqual(last, { status: 'NOT_SERVING' });
  watch.cancel();
  await other.stop();
});

test('Reflection lists the services and has their files', async () => {
  const stream = server.api.reflection.ServerReflectionInfo();
  stream.write({ list_services: '' });
  const listed = (await stream.next()).list_services_response.service.map(({ name }) => name);
  for (const name of [...names, 'grpc.health.v1.Health']) assert.ok(listed.includes(name), name);
  for (const symbol of names) {
    stream.write({ file_containing_symbol: symbol });
    const answer = await stream.next();
    assert.equal(answer.message_response, 'file_descriptor_response', symbol);
    const files = answer.file_descriptor_response.file_descriptor_proto;
    assert.ok(
      files.some((file) => file.includes(symbol.split('.').pop())),
      symbol,
    );
  }
  stream.cancel();
});

test('An unknown method is UNIMPLEMENTED', async () => {
  const fault = await fault_of(server.api.world.raw('NoMethod', Buffer.alloc(0)));
  assert.equal(fault.status, 'UNIMPLEMENTED');
  assert.ok(await server.api.world.ListWorlds({}), 'the server goes on');
});

test('A search keeps its deadline, and the server answers the next call', async () => {
  const side = 2000;
  const world = 'deadline';
  await server.api.world.CreateWorld({ name: world, width: side, height: side });
  const far = { cell: { x: side - 1, y: side - 1 } };
  const request = {
    world,
    from: { cell: { x: 0, y: 0 } },
    goals: [far],
    options: { algorithm: 'ALGORITHM_DIJKSTRA' },
  };
  const fault = await fault_of(server.api.path.FindPath(request, { within_ms: 20 }));
  assert.equal(fault.status, 'DEADLINE_EXCEEDED');
  assert.ok(await server.api.world.GetWorld({ world }));
});

test('Many connections are served side by side', async () => {
  const apis = Array.from({ length: 20 }, () => connect(server.address));
  await Promise.all(apis.map((api) => api.world.ListWorlds({})));
  for (const api of apis) api.close();
});

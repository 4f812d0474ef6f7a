// A stranger's client with TLS and a token: it makes the token file by hand, as the server's page on
// security describes it.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { connect } from './api.mjs';
import { fault_of } from './decode.mjs';
import { free_port, start_server } from './server.mjs';

const folder = mkdtempSync(join(tmpdir(), 'repath-security-'));
const tokens = join(folder, 'tokens');
const certificate = join(folder, 'cert.pem');
const key = join(folder, 'key.pem');

function line_of(id, scopes, worlds) {
  const digest = createHash('sha256').update(`secret-of-${id}`).digest('hex');
  return `token ${id} ${scopes} ${worlds} ${digest}\n`;
}
const all = line_of('all', 'read,write,agents,admin', '*');
const reader = line_of('reader', 'read', 'town-*');

let server;
let address;
const api_of = (id) =>
  connect(address, {
    ca: readFileSync(certificate, 'utf8'),
    token: id === undefined ? undefined : `${id}.secret-of-${id}`,
  });

before(async () => {
  execFileSync(
    'openssl',
    ['req', '-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes', '-days', '2']
      .concat(['-subj', '/CN=localhost', '-addext', 'subjectAltName=DNS:localhost'])
      .concat(['-keyout', key, '-out', certificate]),
    { stdio: 'ignore' },
  );
  writeFileSync(tokens, all + reader);
  const port = await free_port();
  address = `localhost:${port}`;
  server = await start_server(
    ...['--listen', `127.0.0.1:${port}`, '--tls-cert', certificate, '--tls-key', key],
    ...['--tokens', tokens],
  );
});
after(async () => {
  await server.stop();
  rmSync(folder, { recursive: true, force: true });
});

test('A token with all scopes does everything, over TLS', async () => {
  const api = api_of('all');
  await api.world.CreateWorld({ name: 'town-1', width: 8, height: 8 });
  await api.world.CreateWorld({ name: 'hall', width: 8, height: 8 });
  const { worlds } = await api.world.ListWorlds({});
  assert.deepEqual(
    worlds.map(({ name }) => name),
    ['hall', 'town-1'],
  );
  api.close();
});

test('A reader reads its own worlds and changes none', async () => {
  const api = api_of('reader');
  const { worlds } = await api.world.ListWorlds({});
  assert.deepEqual(
    worlds.map(({ name }) => name),
    ['town-1'],
  );
  const denied = await fault_of(api.world.GetWorld({ world: 'hall' }));
  assert.deepEqual([denied.status, denied.reason], ['PERMISSION_DENIED', 'WORLD_DENIED']);
  assert.deepEqual(denied.fields, ['world']);
  const change = await fault_of(api.world.ApplyChanges({ world: 'town-1' }));
  assert.deepEqual([change.status, change.reason], ['PERMISSION_DENIED', 'SCOPE_MISSING']);
  api.close();
});

test('Without a token every call but health is refused, with TLS and on the unix socket', async () => {
  for (const api of [api_of(undefined), connect(server.address)]) {
    const fault = await fault_of(api.world.ListWorlds({}));
    assert.deepEqual([fault.status, fault.reason], ['UNAUTHENTICATED', 'TOKEN_MISSING']);
    const stream = api.agent.Session();
    assert.equal((await stream.end_fault()).reason, 'TOKEN_MISSING');
    assert.deepEqual(await api.health.Check({ service: '' }), { status: 'SERVING' });
    api.close();
  }
});

test('A token that is revoked ends its streams', async () => {
  const api = api_of('reader');
  const watch = api.world.WatchWorld({ world: 'town-1' });
  await api.world.GetWorld({ world: 'town-1' });
  writeFileSync(tokens, all);
  server.child.kill('SIGHUP');
  const fault = await watch.end_fault();
  assert.equal(fault.status, 'UNAUTHENTICATED');
  assert.equal(fault.reason, 'TOKEN_REVOKED');
  const refused = await fault_of(api.world.GetWorld({ world: 'town-1' }));
  assert.deepEqual([refused.status, refused.reason], ['UNAUTHENTICATED', 'TOKEN_INVALID']);
  api.close();
});

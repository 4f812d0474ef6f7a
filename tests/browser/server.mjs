// One repathd with its console for one test file, and calls to it by JSON.
//
// REPATH_BIN_DIR is the folder of the binary (default build/dev/bin). The console's files are those of
// client/console/dist, so that a change of them needs no build of the server.
import { execFileSync, spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

export const repository = resolve(dirname(fileURLToPath(import.meta.url)), '../..');
export const binaries = resolve(repository, process.env.REPATH_BIN_DIR ?? 'build/dev/bin');
const binary = join(binaries, 'repathd');
const console_dir = join(repository, 'client/console/dist');
const ready_within_ms = 20_000;

function free_port() {
  return new Promise((done, failed) => {
    const probe = createServer();
    probe.once('error', failed);
    probe.listen(0, '127.0.0.1', () => {
      const { port } = probe.address();
      probe.close(() => done(port));
    });
  });
}

export class Server {
  constructor(port, flags) {
    this.port = port;
    this.flags = flags;
    this.folder = mkdtempSync(join(tmpdir(), 'repath-browser-'));
    this.page = `http://127.0.0.1:${port}/`;
    this.token = '';
  }

  // Starts the process and waits until it is ready.
  async start() {
    this.grpc = `unix:${join(this.folder, 'grpc.sock')}`;
    const flags = ['--listen', this.grpc, '--admin', `127.0.0.1:${this.port}`, '--console-dir', console_dir];
    this.child = spawn(binary, [...flags, '--log-level', 'warning', ...this.flags], { stdio: ['ignore', 'ignore', 'pipe'] });
    this.output = '';
    this.child.stderr.on('data', (text) => (this.output = (this.output + text).slice(-4000)));
    this.exited = new Promise((done) => this.child.once('exit', (code, signal) => done({ code, signal })));
    const until = Date.now() + ready_within_ms;
    for (;;) {
      const answer = await fetch(`${this.page}readyz`).catch(() => undefined);
      if (answer?.ok) return;
      if (this.child.exitCode !== null || Date.now() > until) throw new Error(`${binary} is not ready\n${this.output}`);
      await new Promise((done) => setTimeout(done, 50));
    }
  }

  // Ends the process at once, as a crash does. Does nothing if it has ended.
  async kill() {
    this.child.kill('SIGKILL');
    await this.exited;
  }

  // Ends the process in order. Throws unless its exit status is 0.
  async stop() {
    this.child.kill('SIGTERM');
    const how = await this.exited;
    rmSync(this.folder, { recursive: true, force: true });
    if (how.code !== 0) throw new Error(`repathd ended with ${JSON.stringify(how)}\n${this.output}`);
  }

  // Makes a world of a map of the project, by the command line.
  import_map(world, map) {
    execFileSync(join(binaries, 'repath'), ['--server', this.grpc, 'world', 'import', world, join(repository, 'deploy/maps', map)]);
  }

  // Calls a unary method, such as 'WorldService/GetWorld'.
  async call(method, message) {
    const headers = { 'Content-Type': 'application/json' };
    if (this.token) headers.Authorization = `Bearer ${this.token}`;
    const answer = await fetch(`${this.page}repath.v1.${method}`, { method: 'POST', headers, body: JSON.stringify(message) });
    const body = await answer.json();
    if (!answer.ok) throw new Error(`${method}: ${body.code}: ${body.message}`);
    return body;
  }
}

export async function start_server(...flags) {
  const server = new Server(await free_port(), flags);
  await server.start();
  return server;
}

// One repathd for one test file: started on a separate unix socket, ended by its process id.
//
// REPATH_BIN_DIR is the folder of the binary (default build/dev/bin), so that the same tests run
// against a server built with sanitizers.
import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { connect } from './api.mjs';

const here = dirname(fileURLToPath(import.meta.url));
export const repository = resolve(here, '../../..');
const binary = join(resolve(repository, process.env.REPATH_BIN_DIR ?? 'build/dev/bin'), 'repathd');
const output_kept_chars = 4_000;
const ready_within_ms = 20_000;

export function free_port() {
  return new Promise((done, failed) => {
    const probe = createServer();
    probe.once('error', failed);
    probe.listen(0, '127.0.0.1', () => {
      const { port } = probe.address();
      probe.close(() => done(port));
    });
  });
}

// A running server. `api` is one connection to it; connect(address) opens more. `admin` is the address of metrics.
class Server {
  constructor(child, folder, address, admin) {
    this.child = child;
    this.folder = folder;
    this.address = address;
    this.admin = admin;
    this.api = connect(address);
    this.output = '';
    this.exited = new Promise((done) => {
      child.once('error', (error) => done({ error: error.message }));
      child.once('exit', (code, signal) => done({ code, signal }));
    });
    for (const pipe of [child.stdout, child.stderr]) {
      pipe.on('data', (text) => {
        this.output = (this.output + text).slice(-output_kept_chars);
      });
    }
  }

  get running() {
    return this.child.exitCode === null && this.child.signalCode === null;
  }

  // Waits until calls are answered. If the server ended instead, throws with its last output.
  async ready() {
    const ended = this.exited.then((how) => {
      throw new Error(`${binary} ended: ${JSON.stringify(how)}\n${this.output}`);
    });
    await Promise.race([this.api.ready(ready_within_ms), ended]);
  }

  // Sends SIGTERM and waits for a clean drain. Throws unless the exit status is 0 (after a
  // sanitizer's report it is another).
  async stop() {
    this.api.close();
    this.child.kill('SIGTERM');
    const how = await this.exited;
    rmSync(this.folder, { recursive: true, force: true });
    if (how.code !== 0) {
      throw new Error(`repathd ended with ${JSON.stringify(how)} instead of 0\n${this.output}`);
    }
  }
}

export async function start_server(...flags) {
  const folder = mkdtempSync(join(tmpdir(), 'repath-node-'));
  const address = `unix:${join(folder, 'grpc.sock')}`;
  const admin = `127.0.0.1:${await free_port()}`;
  const child = spawn(
    binary,
    ['--listen', address, '--admin', admin, '--log-level', 'warning', ...flags],
    { stdio: ['ignore', 'pipe', 'pipe'] },
  );
  const server = new Server(child, folder, address, admin);
  await server.ready();
  return server;
}

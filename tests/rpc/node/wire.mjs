// A connection to a server that can be cut: bytes pass both ways until cut() destroys the sockets.
import { once } from 'node:events';
import { connect as dial, createServer } from 'node:net';
import { join } from 'node:path';

let wires = 0;

export async function open_wire(server) {
  const sockets = new Set();
  const listener = createServer((near) => {
    const far = dial(join(server.folder, 'grpc.sock'));
    for (const [from, to] of [
      [near, far],
      [far, near],
    ]) {
      sockets.add(from);
      from.on('error', () => {}); // A cut connection is not a failure of the test.
      from.on('close', () => to.destroy());
      from.pipe(to);
    }
  });
  const path = join(server.folder, `wire-${wires++}.sock`);
  listener.listen(path);
  await once(listener, 'listening');
  return {
    address: `unix:${path}`,
    cut() {
      listener.close();
      for (const socket of sockets) socket.destroy();
    },
  };
}

// Decodes the pictures of WatchView.
import type { WatchViewResponse } from '../../gen/repath/v1/debug_pb';
import type { AgentsView } from './feed';

const everyMs = 100;
const fraction = 64;
const waits = 8;

// `depth` is how many numbers a position has: 2 on grids, 3 elsewhere.
export function viewOf(picture: WatchViewResponse, depth: 2 | 3): AgentsView {
  const count = picture.agents.length;
  const ids = new Array<bigint>(count);
  const at = new Float32Array(count * 2);
  const heights = new Float32Array(count);
  let id = 0n;
  for (let i = 0; i < count; ++i) {
    id += picture.agents[i]!;
    ids[i] = id;
    at[i * 2] = picture.positions[i * depth]! / fraction;
    if (depth === 3) heights[i] = picture.positions[i * 3 + 1]! / fraction;
    at[i * 2 + 1] = picture.positions[i * depth + depth - 1]! / fraction;
  }
  return {
    whole: picture.whole,
    ids,
    at,
    heights,
    outlooks: Uint8Array.from(picture.outlooks, (outlook) => outlook & (waits - 1)),
    waiting: Uint8Array.from(picture.outlooks, (outlook) => Number(outlook >= waits)),
    removed: picture.removed,
    everyMs,
    revision: picture.revision,
    settledRevision: picture.settledRevision,
    waitingCount: picture.waiting,
    lateCount: picture.late,
  };
}

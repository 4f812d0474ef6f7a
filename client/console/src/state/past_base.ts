// What stood in a world at the oldest revision that can still be made again. The batches since then give every later revision.
import type { Obstacle } from '../../gen/repath/v1/changes_pb';
import { WorldService } from '../../gen/repath/v1/world_pb';
import { errorOf, type RpcError } from '../wire/error';
import { call } from '../wire/rpc';

export interface Base {
  revision: bigint;
  obstacles: Map<bigint, Obstacle>;
}

async function readAt(world: string, atRevision: bigint): Promise<Base> {
  const obstacles = new Map<bigint, Obstacle>();
  for (let pageToken = ''; ; ) {
    const page = await call(WorldService.method.listObstacles, { world, atRevision, pageToken, pageSize: 5000 }, { timeoutMs: 60_000 });
    for (const obstacle of page.obstacles) obstacles.set(obstacle.id, obstacle);
    pageToken = page.nextPageToken;
    if (!pageToken) return { revision: atRevision, obstacles };
  }
}

// Reads it at `first`, or else at the oldest revision after it that the server names, below `last`. `error` says why not at `first`.
export async function readBase(world: string, first: bigint, last: bigint): Promise<{ base: Base | undefined; error: RpcError | undefined }> {
  let error: RpcError | undefined;
  for (let at = first; at < last; ) {
    try {
      return { base: await readAt(world, at), error };
    } catch (thrown) {
      const failed = errorOf(thrown);
      error ??= failed;
      const oldest = failed.metadata.oldest_revision;
      if (failed.reason !== 'HISTORY_GONE' || !oldest || BigInt(oldest) <= at) break;
      at = BigInt(oldest);
    }
  }
  return { base: undefined, error };
}

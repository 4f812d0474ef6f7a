// The obstacles of a world at a past revision, from its batches and what stands there now.
import type { Body, ChangeBatch, Obstacle } from '../../gen/repath/v1/changes_pb';
import type { Change } from '../../gen/repath/v1/world_pb';
import type { Base } from './past_base';

export interface Standing {
  obstacles: Map<bigint, Obstacle>;
  bodies: Map<bigint, Body>;
}

export function applyTo(standing: Standing, batch: ChangeBatch): void {
  for (const id of batch.removeObstacles) standing.obstacles.delete(id);
  for (const { id, enabled } of batch.switchObstacles) {
    const known = standing.obstacles.get(id);
    if (known) standing.obstacles.set(id, { ...known, disabled: !enabled });
  }
  for (const obstacle of batch.upsertObstacles) standing.obstacles.set(obstacle.id, obstacle);
  for (const id of batch.walkOn) standing.bodies.delete(id);
  for (const body of batch.stand) standing.bodies.set(body.agentId, body);
}

// Returns the obstacles and bodies before the first of the batches. An obstacle that no batch names stood there already. One that a batch
// switches first did too, and its shape is known if it stands there now. One that a batch removes first is not known.
export function standingBefore(changes: Change[], now: Standing): Standing {
  const obstacles = new Map(now.obstacles);
  const bodies = new Map(now.bodies);
  const seen = new Set<bigint>();
  const seenBodies = new Set<bigint>();
  const replaced = new Set<bigint>();
  for (const { batch } of changes) {
    if (!batch) continue;
    for (const { id } of batch.upsertObstacles) {
      if (!seen.has(id)) obstacles.delete(id);
      else replaced.add(id);
      seen.add(id);
    }
    for (const id of batch.removeObstacles) seen.add(id);
    for (const { id, enabled } of batch.switchObstacles) {
      const known = obstacles.get(id);
      if (!seen.has(id) && known) obstacles.set(id, { ...known, disabled: enabled });
      seen.add(id);
    }
    for (const id of [...batch.walkOn, ...batch.stand.map((body) => body.agentId)]) {
      if (!seenBodies.has(id)) bodies.delete(id);
      seenBodies.add(id);
    }
  }
  for (const id of replaced) obstacles.delete(id);
  return { obstacles, bodies };
}

// As standingAt, from what is known to have stood at a revision before. Bodies are those of `standingAt`: the past has none of its own.
export function standingFrom(base: Base, changes: Change[], now: Standing, revision: bigint): Standing {
  const standing: Standing = { obstacles: new Map(base.obstacles), bodies: standingAt(changes, now, revision).bodies };
  const bodies = new Map(standing.bodies);
  for (const change of changes) {
    if (change.revision > revision) break;
    if (change.revision > base.revision && change.batch) applyTo(standing, change.batch);
  }
  return { obstacles: standing.obstacles, bodies };
}

// Obstacles of which standingAt cannot tell how they stood at a revision: a later batch removes, places
// or switches them, and no batch up to that revision says how they were.
export function doubtfulAt(changes: Change[], revision: bigint): number {
  const named = new Set<bigint>();
  const switched = new Set<bigint>();
  const doubtful = new Set<bigint>();
  for (const { revision: of, batch } of changes) {
    if (!batch) continue;
    const whole = [...batch.upsertObstacles.map(({ id }) => id), ...batch.removeObstacles];
    const switches = batch.switchObstacles.map(({ id }) => id);
    if (of > revision) {
      for (const id of whole) if (!named.has(id)) doubtful.add(id);
      for (const id of switches) if (!named.has(id) && !switched.has(id)) doubtful.add(id);
    }
    for (const id of whole) named.add(id);
    for (const id of switches) switched.add(id);
  }
  return doubtful.size;
}

export function standingAt(changes: Change[], now: Standing, revision: bigint): Standing {
  const standing = standingBefore(changes, now);
  for (const change of changes) {
    if (change.revision > revision) break;
    if (change.batch) applyTo(standing, change.batch);
  }
  return standing;
}

// A batch in a few words.
export function summary(batch: ChangeBatch | undefined): string {
  if (!batch) return '';
  const parts: [number, string, string][] = [
    [batch.upsertObstacles.length, 'obstacle placed', 'obstacles placed'],
    [batch.removeObstacles.length, 'obstacle removed', 'obstacles removed'],
    [batch.switchObstacles.filter(({ enabled }) => enabled).length, 'obstacle shut', 'obstacles shut'],
    [batch.switchObstacles.filter(({ enabled }) => !enabled).length, 'obstacle opened', 'obstacles opened'],
    [batch.terrainEdits.length, 'terrain edit', 'terrain edits'],
    [batch.addProfiles.length, 'profile added', 'profiles added'],
    [batch.influenceEdits.length + batch.decayInfluence.length, 'influence edit', 'influence edits'],
    [batch.fogEdits.length, 'fog edit', 'fog edits'],
    [batch.stand.length, 'body stands', 'bodies stand'],
    [batch.walkOn.length, 'body walks on', 'bodies walk on'],
    [batch.switchLinks.length, 'link switched', 'links switched'],
    [batch.graphEdits.length, 'graph edit', 'graph edits'],
  ];
  return parts
    .filter(([n]) => n > 0)
    .map(([n, one, many]) => `${n} ${n === 1 ? one : many}`)
    .join(', ');
}

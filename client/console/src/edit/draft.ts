// A change that has been drawn but not made: its batch, what it would do, and how to take it back.
import { create, type MessageInitShape } from '@bufbuild/protobuf';
import { ObstacleSchema, type ChangeBatchSchema, type Obstacle } from '../../gen/repath/v1/changes_pb';
import type { TestChangesResponse } from '../../gen/repath/v1/world_pb';
import { messageOf, type ObstacleInit } from '../feed/convert';
import type { Shape } from '../raster/shape';
import type { Floor } from '../state/floors';
import type { RpcError } from '../wire/error';

export type BatchInit = MessageInitShape<typeof ChangeBatchSchema>;

// The effect on the ground of an obstacle that is drawn.
export interface Effect {
  kind: 'blocked' | 'cost';
  factor: number;
}

export interface Draft {
  title: string;
  batch: BatchInit;
  inverse: BatchInit;
  shape: Shape | undefined;
  // Set while the obstacle's effect can still be chosen: its id.
  drawn: bigint | undefined;
  dry: TestChangesResponse | undefined;
  error: RpcError | undefined;
  busy: boolean;
  // Whether there is nothing left to do, because the world has changed; unset: never.
  isMoot?: () => boolean;
}

export function draft(title: string, batch: BatchInit, inverse: BatchInit, shape?: Shape, drawn?: bigint): Draft {
  return { title, batch, inverse, shape, drawn, dry: undefined, error: undefined, busy: true };
}

// How far above and below a floor an obstacle reaches that is drawn on it, in world units.
const floorMargin = 0.7;

// On a floor of a mesh the obstacle concerns that floor alone.
export function obstacleOf(id: bigint, shape: Shape, unit: number, effect: Effect, floor?: Floor): ObstacleInit {
  return {
    id,
    ...(floor && { bottom: floor.low - floorMargin, top: floor.high + floorMargin }),
    shape: messageOf(shape, unit),
    effect: effect.kind === 'blocked' ? { case: 'blocked', value: true } : { case: 'costFactor', value: effect.factor },
  };
}

// The obstacle with another shape, all else as it is.
export function reshaped(obstacle: Obstacle, shape: Shape, unit: number): ObstacleInit {
  return { ...obstacle, shape: create(ObstacleSchema, { shape: messageOf(shape, unit) }).shape };
}

const idMost = 2n ** 64n - 1n;

const idSteps = 1_000_000;

// An id from 1 on that is not taken: a random step above the greatest, or, where that would be none, the lowest. Two
// pages that choose at the same time do not know of each other's choice; by the step they hardly ever choose the same.
export function freeId(ids: Iterable<bigint>): bigint {
  const taken = new Set(ids);
  let greatest = 0n;
  for (const id of taken) if (id > greatest) greatest = id;
  const above = greatest + 1n + BigInt(crypto.getRandomValues(new Uint32Array(1))[0]! % idSteps);
  if (above <= idMost) return above;
  let lowest = 1n;
  while (taken.has(lowest)) ++lowest;
  return lowest;
}

// An id of a request that no other one has. crypto.randomUUID exists only where the page came by HTTPS or from this machine.
export function freshRequestId(): string {
  return Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, '0')).join('');
}

export function describe(shape: Shape, isGrid: boolean): string {
  const n = (value: number) => String(+value.toFixed(2));
  switch (shape.kind) {
    case 'rect':
      return `${shape.x1 - shape.x0} × ${shape.y1 - shape.y0} cells`;
    case 'box':
      return `${n(shape.halfX * 2)} × ${n(shape.halfY * 2)}`;
    case 'disc':
      return `radius ${n(shape.radius)}${isGrid ? ' cells' : ''}`;
    case 'polygon':
      return `${shape.points.length / 2} corners`;
    case 'capsule':
      return `length ${n(Math.hypot(shape.x1 - shape.x0, shape.y1 - shape.y0))}`;
  }
}

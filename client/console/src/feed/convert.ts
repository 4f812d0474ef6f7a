// Between the messages' shapes, in world units, and the map's, in cells on grids and in world units elsewhere.
import { create, type MessageInitShape } from '@bufbuild/protobuf';
import type { Body, Obstacle, ObstacleSchema } from '../../gen/repath/v1/changes_pb';
import { LocationSchema, type Location, type Path } from '../../gen/repath/v1/common_pb';
import type { GridObstacle } from '../raster/grid';
import type { Shape } from '../raster/shape';

type ShapeMessage = Obstacle['shape'] | Body['shape'];
export type ObstacleInit = MessageInitShape<typeof ObstacleSchema>;

// `unit` is the world's cell size; 1 on meshes.
export function shapeOf(shape: ShapeMessage, unit: number): Shape | undefined {
  switch (shape.case) {
    case 'cells':
      return { kind: 'rect', x0: shape.value.x0, y0: shape.value.y0, x1: shape.value.x1, y1: shape.value.y1 };
    case 'box': {
      const { center, halfX, halfZ, yaw } = shape.value;
      return { kind: 'box', x: (center?.x ?? 0) / unit, y: (center?.z ?? 0) / unit, halfX: halfX / unit, halfY: halfZ / unit, yaw };
    }
    case 'cylinder': {
      const { center, radius } = shape.value;
      return { kind: 'disc', x: (center?.x ?? 0) / unit, y: (center?.z ?? 0) / unit, radius: radius / unit };
    }
    case 'polygon':
      return { kind: 'polygon', points: shape.value.xz.map((value) => value / unit) };
    case 'capsule': {
      const { from, to, radius } = shape.value;
      return {
        kind: 'capsule',
        x0: (from?.x ?? 0) / unit,
        y0: (from?.z ?? 0) / unit,
        x1: (to?.x ?? 0) / unit,
        y1: (to?.z ?? 0) / unit,
        radius: radius / unit,
      };
    }
    default:
      return undefined;
  }
}

export function messageOf(shape: Shape, unit: number): NonNullable<ObstacleInit['shape']> {
  switch (shape.kind) {
    case 'rect':
      return { case: 'cells', value: { x0: shape.x0, y0: shape.y0, x1: shape.x1, y1: shape.y1 } };
    case 'box': {
      const center = { x: shape.x * unit, y: 0, z: shape.y * unit };
      return { case: 'box', value: { center, halfX: shape.halfX * unit, halfZ: shape.halfY * unit, yaw: shape.yaw } };
    }
    case 'disc':
      return { case: 'cylinder', value: { center: { x: shape.x * unit, y: 0, z: shape.y * unit }, radius: shape.radius * unit } };
    case 'polygon':
      return { case: 'polygon', value: { xz: shape.points.map((value) => value * unit) } };
    case 'capsule':
      return {
        case: 'capsule',
        value: {
          from: { x: shape.x0 * unit, y: 0, z: shape.y0 * unit },
          to: { x: shape.x1 * unit, y: 0, z: shape.y1 * unit },
          radius: shape.radius * unit,
        },
      };
  }
}

export function drawnOf(obstacle: Obstacle, unit: number, door = false): GridObstacle | undefined {
  const shape = shapeOf(obstacle.shape, unit);
  if (!shape) return undefined;
  const blocked = obstacle.effect.case === 'blocked';
  const factor = obstacle.effect.case === 'costFactor' ? obstacle.effect.value : 1;
  return { id: String(obstacle.id), shape, effect: blocked ? 'blocked' : 'cost', factor, disabled: obstacle.disabled, door };
}

export function bodyOf(body: Body, unit: number): GridObstacle | undefined {
  const shape = shapeOf(body.shape, unit);
  return shape && { id: `body ${body.agentId}`, shape, effect: 'blocked', factor: 1, disabled: false };
}

// A place in cells on grids and in world units elsewhere.
export function placeOf(location: Location | undefined, unit: number): [number, number] | undefined {
  if (location?.place.case === 'cell') return [location.place.value.x + 0.5, location.place.value.y + 0.5];
  if (location?.place.case === 'position') return [location.place.value.x / unit, location.place.value.z / unit];
  return undefined;
}

// The place as a message: the cell on grids, else the position at a height in world units.
export function locationOf([x, y]: [number, number], isGrid: boolean, height = 0): Location {
  if (isGrid) return create(LocationSchema, { place: { case: 'cell', value: { x: Math.floor(x), y: Math.floor(y) } } });
  return positionOf([x, y], 1, height);
}

export function positionOf([x, y]: [number, number], unit: number, height = 0): Location {
  return create(LocationSchema, { place: { case: 'position', value: { x: x * unit, y: height, z: y * unit } } });
}

// The line that a walker takes: on grids with a turning radius it is not that of the waypoints.
export function wayOf(path: Path, unit: number): Float32Array {
  return lineOf(path.line.length > 3 ? path.line : path.positions, unit);
}

// The heights along that line, in world units.
export function heightsOf(path: Path): Float32Array {
  const positions = path.line.length > 3 ? path.line : path.positions;
  return Float32Array.from({ length: positions.length / 3 }, (_, i) => positions[i * 3 + 1]!);
}

export function lineOf(positions: number[], unit: number): Float32Array {
  const line = new Float32Array((positions.length / 3) * 2);
  for (let i = 0; i * 3 < positions.length; ++i) {
    line[i * 2] = positions[i * 3]! / unit;
    line[i * 2 + 1] = positions[i * 3 + 2]! / unit;
  }
  return line;
}

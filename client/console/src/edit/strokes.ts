// Shapes from strokes of the pointer.
import type { Shape } from '../raster/shape';

const wallRadius = 0.35;

// The shape of a stroke from one place to another; nothing if it is too small. On grids boxes follow the cells.
export function stroke(tool: string, from: [number, number], to: [number, number], isGrid: boolean): Shape | undefined {
  const [[ax, ay], [bx, by]] = [from, to];
  if (tool === 'box' && isGrid) {
    return {
      kind: 'rect',
      x0: Math.floor(Math.min(ax, bx)),
      y0: Math.floor(Math.min(ay, by)),
      x1: Math.floor(Math.max(ax, bx)) + 1,
      y1: Math.floor(Math.max(ay, by)) + 1,
    };
  }
  if (tool === 'box') {
    const [halfX, halfY] = [Math.abs(bx - ax) / 2, Math.abs(by - ay) / 2];
    return halfX > 0 && halfY > 0 ? { kind: 'box', x: (ax + bx) / 2, y: (ay + by) / 2, halfX, halfY, yaw: 0 } : undefined;
  }
  if (tool === 'disc') {
    const radius = Math.hypot(bx - ax, by - ay);
    const [x, y] = isGrid ? [Math.round(ax * 2) / 2, Math.round(ay * 2) / 2] : [ax, ay];
    if (isGrid) return { kind: 'disc', x, y, radius: Math.max(0.45, Math.round(radius * 4) / 4) };
    return radius > 0 ? { kind: 'disc', x, y, radius } : undefined;
  }
  if (tool === 'wall') {
    const snap = (value: number) => (isGrid ? Math.floor(value) + 0.5 : value);
    return { kind: 'capsule', x0: snap(ax), y0: snap(ay), x1: snap(bx), y1: snap(by), radius: isGrid ? wallRadius : wallRadius * 0.6 };
  }
  return undefined;
}

// A corner of a polygon: on grids a corner of cells.
export function corner(x: number, y: number, isGrid: boolean): [number, number] {
  return isGrid ? [Math.round(x), Math.round(y)] : [x, y];
}

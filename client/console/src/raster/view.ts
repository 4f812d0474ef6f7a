// The camera: which part of the world the canvas shows.
//
// World coordinates are in cells on grids and in world units elsewhere, x to the right and y down (the world's z).

export interface View {
  x: number; // World coordinates of the canvas's centre.
  y: number;
  scale: number; // Pixels of the canvas for each unit.
}

export interface Size {
  width: number;
  height: number;
}

// Odd-r hexagons: cells are numbered and placed as squares, but drawn as hexagons. The rows lie closer, and odd rows are
// half a cell to the right.
export const hexRow = Math.sqrt(3) / 2;

// Shift of the drawn row at a height in cells: 0 in the middle of even rows, 0.5 in that of odd ones.
function hexShift(y: number): number {
  const row = y - 0.5;
  const low = Math.floor(row);
  const part = row - low;
  const odd = low & 1;
  return 0.5 * (odd ? 1 - part : part);
}

// From cells to the plane in which they are drawn.
export function toPlane(x: number, y: number, hex: boolean): [number, number] {
  return hex ? [x + hexShift(y), y * hexRow] : [x, y];
}

// The cell at a point of the drawn plane, and the place in it.
export function fromPlane(px: number, py: number, hex: boolean): [number, number] {
  if (!hex) return [px, py];
  const near = Math.round(py / hexRow - 0.5);
  let best: [number, number] = [0, 0];
  let least = Infinity;
  for (let row = near - 1; row <= near + 1; ++row) {
    const shift = row & 1 ? 0.5 : 0;
    const column = Math.floor(px - shift);
    const distance = Math.hypot(px - shift - column - 0.5, py - (row + 0.5) * hexRow);
    if (distance < least) [least, best] = [distance, [column + 0.5, row + 0.5]];
  }
  return best;
}

export function toCanvas(view: View, size: Size, px: number, py: number): [number, number] {
  return [(px - view.x) * view.scale + size.width / 2, (py - view.y) * view.scale + size.height / 2];
}

export function toWorld(view: View, size: Size, cx: number, cy: number): [number, number] {
  return [(cx - size.width / 2) / view.scale + view.x, (cy - size.height / 2) / view.scale + view.y];
}

// Room that the map leaves to what lies over it, in pixels.
export interface Inset {
  left: number;
  top: number;
  right: number;
  bottom: number;
}

// The view that shows the bounds whole, within the inset.
export function fitted(bounds: { x0: number; y0: number; x1: number; y1: number }, size: Size, inset: Inset): View {
  const [wide, high] = [Math.max(40, size.width - inset.left - inset.right), Math.max(40, size.height - inset.top - inset.bottom)];
  const scale = Math.min(wide / Math.max(1e-6, bounds.x1 - bounds.x0), high / Math.max(1e-6, bounds.y1 - bounds.y0), 120);
  return {
    x: (bounds.x0 + bounds.x1) / 2 - (inset.left - inset.right) / 2 / scale,
    y: (bounds.y0 + bounds.y1) / 2 - (inset.top - inset.bottom) / 2 / scale,
    scale,
  };
}

// Shapes in the plane, and the cells that they cover.
//
// Coordinates are in cells on grids and in world units elsewhere. A shape covers a cell if it overlaps the cell's square,
// however little; touching it from outside does not count (proto/repath/v1/changes.proto has the exact rule).

export type Shape =
  | { kind: 'rect'; x0: number; y0: number; x1: number; y1: number }
  | { kind: 'box'; x: number; y: number; halfX: number; halfY: number; yaw: number }
  | { kind: 'disc'; x: number; y: number; radius: number }
  | { kind: 'polygon'; points: number[] }
  | { kind: 'capsule'; x0: number; y0: number; x1: number; y1: number; radius: number };

export interface Bounds {
  x0: number;
  y0: number;
  x1: number;
  y1: number;
}

const shrink = 1e-9;

// Corners of a shape with straight sides, x and y one after the other; none for discs and capsules.
export function cornersOf(shape: Shape): number[] {
  switch (shape.kind) {
    case 'rect':
      return [shape.x0, shape.y0, shape.x1, shape.y0, shape.x1, shape.y1, shape.x0, shape.y1];
    case 'box': {
      const [c, s] = [Math.cos(shape.yaw), Math.sin(shape.yaw)];
      return [
        [-1, -1],
        [1, -1],
        [1, 1],
        [-1, 1],
      ].flatMap(([a, b]) => [
        shape.x + a! * shape.halfX * c - b! * shape.halfY * s,
        shape.y + a! * shape.halfX * s + b! * shape.halfY * c,
      ]);
    }
    case 'polygon':
      return shape.points;
    default:
      return [];
  }
}

export function boundsOf(shape: Shape): Bounds {
  if (shape.kind === 'disc') {
    const { x, y, radius: r } = shape;
    return { x0: x - r, y0: y - r, x1: x + r, y1: y + r };
  }
  if (shape.kind === 'capsule') {
    const { x0, y0, x1, y1, radius: r } = shape;
    return { x0: Math.min(x0, x1) - r, y0: Math.min(y0, y1) - r, x1: Math.max(x0, x1) + r, y1: Math.max(y0, y1) + r };
  }
  const bounds = { x0: Infinity, y0: Infinity, x1: -Infinity, y1: -Infinity };
  const points = cornersOf(shape);
  for (let i = 0; i < points.length; i += 2) {
    bounds.x0 = Math.min(bounds.x0, points[i]!);
    bounds.x1 = Math.max(bounds.x1, points[i]!);
    bounds.y0 = Math.min(bounds.y0, points[i + 1]!);
    bounds.y1 = Math.max(bounds.y1, points[i + 1]!);
  }
  return bounds;
}

// The part of the line from (ax, ay) to (bx, by) with y in [low, high], as an interval of x.
function stripOfLine(ax: number, ay: number, bx: number, by: number, low: number, high: number): number[] | undefined {
  if (ay > by) return stripOfLine(bx, by, ax, ay, low, high);
  if (by < low || ay > high) return undefined;
  const at = (y: number) => (by === ay ? ax : ax + ((bx - ax) * (y - ay)) / (by - ay));
  const p = ay >= low ? ax : at(low);
  const q = by <= high ? bx : at(high);
  return ay === by ? [Math.min(ax, bx), Math.max(ax, bx)] : [Math.min(p, q), Math.max(p, q)];
}

function stripOfDisc(x: number, y: number, r: number, low: number, high: number): number[] | undefined {
  const off = Math.max(0, low - y, y - high);
  if (off > r) return undefined;
  const half = Math.sqrt(r * r - off * off);
  return [x - half, x + half];
}

// The corners of the straight part of a capsule.
function beamOf(shape: Extract<Shape, { kind: 'capsule' }>): number[] {
  const length = Math.hypot(shape.x1 - shape.x0, shape.y1 - shape.y0) || 1;
  const nx = (-(shape.y1 - shape.y0) / length) * shape.radius;
  const ny = ((shape.x1 - shape.x0) / length) * shape.radius;
  return [
    [shape.x0 + nx, shape.y0 + ny],
    [shape.x1 + nx, shape.y1 + ny],
    [shape.x1 - nx, shape.y1 - ny],
    [shape.x0 - nx, shape.y0 - ny],
  ].flat();
}

// The intervals of x where the polygon is inside at the height y (even-odd rule).
function scan(points: number[], y: number): number[][] {
  const crossings: number[] = [];
  for (let i = 0, j = points.length - 2; i < points.length; j = i, i += 2) {
    const [ay, by] = [points[j + 1]!, points[i + 1]!];
    if (ay > y !== by > y) crossings.push(points[j]! + ((points[i]! - points[j]!) * (y - ay)) / (by - ay));
  }
  crossings.sort((a, b) => a - b);
  const spans: number[][] = [];
  for (let i = 0; i + 1 < crossings.length; i += 2) spans.push([crossings[i]!, crossings[i + 1]!]);
  return spans;
}

function stripsOfPolygon(points: number[], low: number, high: number): number[][] {
  const spans = scan(points, (low + high) / 2);
  for (let i = 0, j = points.length - 2; i < points.length; j = i, i += 2) {
    const span = stripOfLine(points[j]!, points[j + 1]!, points[i]!, points[i + 1]!, low, high);
    if (span) spans.push(span);
  }
  return spans;
}

// Calls `mark(first, end)` for runs of cells of the row that the shape covers. Runs may overlap.
export function coverRow(shape: Shape, row: number, mark: (first: number, end: number) => void): void {
  const low = row + shrink;
  const high = row + 1 - shrink;
  let spans: (number[] | undefined)[];
  if (shape.kind === 'disc') {
    spans = [stripOfDisc(shape.x, shape.y, shape.radius, low, high)];
  } else if (shape.kind === 'capsule') {
    spans = [
      stripOfDisc(shape.x0, shape.y0, shape.radius, low, high),
      stripOfDisc(shape.x1, shape.y1, shape.radius, low, high),
      ...stripsOfPolygon(beamOf(shape), low, high),
    ];
  } else {
    spans = stripsOfPolygon(cornersOf(shape), low, high);
  }
  for (const span of spans) {
    if (!span) continue;
    const first = Math.floor(span[0]! + shrink);
    const end = Math.ceil(span[1]! - shrink);
    if (end > first) mark(first, end);
  }
}

// Whether the point lies in the shape.
export function holds(shape: Shape, x: number, y: number): boolean {
  if (shape.kind === 'disc') return Math.hypot(x - shape.x, y - shape.y) <= shape.radius;
  if (shape.kind === 'capsule') {
    const [dx, dy] = [shape.x1 - shape.x0, shape.y1 - shape.y0];
    const t = ((x - shape.x0) * dx + (y - shape.y0) * dy) / (dx * dx + dy * dy || 1);
    const s = Math.min(1, Math.max(0, t));
    return Math.hypot(x - shape.x0 - s * dx, y - shape.y0 - s * dy) <= shape.radius;
  }
  return scan(cornersOf(shape), y).some(([a, b]) => a! <= x && x <= b!);
}

// The shape's outline as a closed line, x and y one after the other; rounded parts have a corner about every 20 degrees.
export function outlineOf(shape: Shape): number[] {
  if (shape.kind !== 'disc' && shape.kind !== 'capsule') return cornersOf(shape);
  const [ax, ay, bx, by] =
    shape.kind === 'disc' ? [shape.x, shape.y, shape.x, shape.y] : [shape.x0, shape.y0, shape.x1, shape.y1];
  const heading = Math.atan2(by - ay, bx - ax);
  const line: number[] = [];
  for (let i = 0; i <= 18; ++i) {
    const angle = heading - Math.PI / 2 + (i * Math.PI) / 18;
    line.push(bx + shape.radius * Math.cos(angle), by + shape.radius * Math.sin(angle));
  }
  for (let i = 0; i <= 18; ++i) {
    const angle = heading + Math.PI / 2 + (i * Math.PI) / 18;
    line.push(ax + shape.radius * Math.cos(angle), ay + shape.radius * Math.sin(angle));
  }
  return line;
}

// The shape moved by (dx, dy).
export function moved(shape: Shape, dx: number, dy: number): Shape {
  switch (shape.kind) {
    case 'rect':
      return { ...shape, x0: shape.x0 + dx, x1: shape.x1 + dx, y0: shape.y0 + dy, y1: shape.y1 + dy };
    case 'capsule':
      return { ...shape, x0: shape.x0 + dx, x1: shape.x1 + dx, y0: shape.y0 + dy, y1: shape.y1 + dy };
    case 'polygon':
      return { ...shape, points: shape.points.map((v, i) => v + (i % 2 ? dy : dx)) };
    default:
      return { ...shape, x: shape.x + dx, y: shape.y + dy };
  }
}

// Drawing into pixels: lines, discs, rings, polygons. Everything is clipped.

// Discs of a radius, at steps of a quarter pixel in both directions: what share of each pixel they cover, 0 to 256.
interface Stamp {
  reach: number; // Pixels from the middle to each side.
  shares: Uint16Array[]; // One for each of the 16 steps.
}

const steps = 4;
const stamps = new Map<number, Stamp>();

function stampOf(radius: number): Stamp {
  const known = stamps.get(radius);
  if (known) return known;
  const reach = Math.ceil(radius + 1);
  const wide = 2 * reach + 1;
  const shares = Array.from({ length: steps * steps }, (_, step) => {
    const [cx, cy] = [reach + (step % steps) / steps, reach + Math.floor(step / steps) / steps];
    return Uint16Array.from({ length: wide * wide }, (_unused, at) => {
      const cover = radius + 0.5 - Math.hypot((at % wide) - cx, Math.floor(at / wide) - cy);
      return Math.round(256 * Math.min(1, Math.max(0, cover)));
    });
  });
  const made = { reach, shares };
  if (stamps.size > 400) stamps.clear();
  stamps.set(radius, made);
  return made;
}

export class Pixels {
  readonly data: Uint32Array;
  // The same pixels as signed numbers: with these the machine's arithmetic is faster.
  private readonly ints: Int32Array;

  constructor(
    readonly width: number,
    readonly height: number,
    data?: Uint32Array,
  ) {
    this.data = data ?? new Uint32Array(width * height);
    this.ints = new Int32Array(this.data.buffer, this.data.byteOffset, this.data.length);
  }

  // Lays `colour` over the pixel with an opacity of 0 to 256.
  blend(x: number, y: number, colour: number, alpha: number): void {
    if (x < 0 || y < 0 || x >= this.width || y >= this.height) return;
    this.blendAt(y * this.width + x, colour, alpha);
  }

  blendAt(at: number, colour: number, alpha: number): void {
    const old = this.ints[at]!;
    const rest = 256 - alpha;
    const rb = ((old & 0xff00ff) * rest + (colour & 0xff00ff) * alpha) >>> 8;
    const g = ((old & 0xff00) * rest + (colour & 0xff00) * alpha) >>> 8;
    this.ints[at] = -16777216 | (rb & 0xff00ff) | (g & 0xff00);
  }

  fillRow(y: number, x0: number, x1: number, colour: number, alpha = 256): void {
    if (y < 0 || y >= this.height) return;
    const from = Math.max(0, x0);
    const to = Math.min(this.width, x1);
    if (alpha >= 256) {
      if (to > from) this.data.fill(colour, y * this.width + from, y * this.width + to);
      return;
    }
    for (let at = y * this.width + from; at < y * this.width + to; ++at) this.blendAt(at, colour, alpha);
  }

  rect(x0: number, y0: number, x1: number, y1: number, colour: number, alpha = 256): void {
    for (let y = Math.max(0, y0); y < Math.min(this.height, y1); ++y) this.fillRow(y, x0, x1, colour, alpha);
  }

  // A smooth line (Wu's algorithm), clipped to the canvas first. `width` is 1 to 3 pixels.
  line(ax: number, ay: number, bx: number, by: number, colour: number, alpha = 256, width = 1): void {
    const { width: wide, height: high } = this;
    if (ax < 0 || ay < 0 || bx < 0 || by < 0 || ax >= wide || ay >= high || bx >= wide || by >= high) {
      if ((ax < -2 && bx < -2) || (ay < -2 && by < -2) || (ax > wide + 2 && bx > wide + 2) || (ay > high + 2 && by > high + 2)) return;
      const clipped = clip(ax, ay, bx, by, wide, high);
      if (!clipped) return;
      [ax, ay, bx, by] = clipped;
    }
    const [dx, dy] = [Math.abs(bx - ax), Math.abs(by - ay)];
    // Along rows, columns and diagonals a line of whole pixels is as smooth, and what paths on grids are made of.
    if (width === 1 && (dx < 0.01 || dy < 0.01 || Math.abs(dx - dy) < 0.01)) return this.straight(ax, ay, bx, by, colour, alpha);
    const steep = dy > dx;
    if (steep) [ax, ay, bx, by] = [ay, ax, by, bx];
    if (ax > bx) [ax, ay, bx, by] = [bx, by, ax, ay];
    const slope = bx > ax ? (by - ay) / (bx - ax) : 0;
    const first = Math.round(ax);
    let across = ay + slope * (first - ax) - (width - 1) / 2;
    for (let along = first; along <= Math.round(bx); ++along, across += slope) {
      const low = Math.floor(across);
      const part = across - low;
      this.dot(steep, along, low, colour, (alpha * (1 - part)) | 0);
      for (let k = 1; k < width; ++k) this.dot(steep, along, low + k, colour, alpha);
      this.dot(steep, along, low + width, colour, (alpha * part) | 0);
    }
  }

  private straight(ax: number, ay: number, bx: number, by: number, colour: number, alpha: number): void {
    let [x, y] = [Math.round(ax), Math.round(ay)];
    const [sx, sy] = [Math.sign(Math.round(bx) - x), Math.sign(Math.round(by) - y)];
    let left = Math.max(Math.abs(Math.round(bx) - x), Math.abs(Math.round(by) - y));
    const { width, height } = this;
    // The clipped line may begin a few pixels outside.
    for (; left >= 0 && (x < 0 || y < 0 || x >= width || y >= height); --left) [x, y] = [x + sx, y + sy];
    const step = sy * width + sx;
    for (let at = y * width + x; left >= 0; --left, at += step, x += sx, y += sy) {
      if (x < 0 || y < 0 || x >= width || y >= height) return;
      this.blendAt(at, colour, alpha);
    }
  }

  private dot(steep: boolean, along: number, across: number, colour: number, alpha: number): void {
    if (steep) this.blend(across, along, colour, alpha);
    else this.blend(along, across, colour, alpha);
  }

  // A disc with a smooth edge. Its middle is taken to the nearest quarter of a pixel.
  disc(cx: number, cy: number, radius: number, colour: number, alpha = 256): void {
    const { reach, shares } = stampOf(Math.round(radius * 8) / 8);
    const [qx, qy] = [Math.round(cx * steps), Math.round(cy * steps)];
    const left = Math.floor(qx / steps) - reach;
    const top = Math.floor(qy / steps) - reach;
    const share = shares[(qy & (steps - 1)) * steps + (qx & (steps - 1))]!;
    const wide = 2 * reach + 1;
    const [x0, x1] = [Math.max(0, -left), Math.min(wide, this.width - left)];
    const [y0, y1] = [Math.max(0, -top), Math.min(wide, this.height - top)];
    for (let y = y0; y < y1; ++y) {
      const row = (top + y) * this.width + left;
      for (let x = x0; x < x1; ++x) {
        const cover = share[y * wide + x]!;
        if (cover > 0) this.blendAt(row + x, colour, (cover * alpha) >> 8);
      }
    }
  }

  ring(cx: number, cy: number, radius: number, colour: number, width = 1.5, alpha = 256): void {
    for (let y = Math.floor(cy - radius - width); y <= Math.ceil(cy + radius + width); ++y) {
      for (let x = Math.floor(cx - radius - width); x <= Math.ceil(cx + radius + width); ++x) {
        const off = Math.abs(Math.sqrt((x - cx) * (x - cx) + (y - cy) * (y - cy)) - radius);
        const cover = Math.min(1, width / 2 + 0.5 - off);
        if (cover > 0) this.blend(x, y, colour, (alpha * cover) | 0);
      }
    }
  }

  // A polygon by the even-odd rule; `points` are x, y one after the other.
  polygon(points: ArrayLike<number>, from: number, end: number, colour: number, alpha = 256): void {
    let [low, high] = [Infinity, -Infinity];
    for (let i = from + 1; i < end; i += 2) {
      low = Math.min(low, points[i]!);
      high = Math.max(high, points[i]!);
    }
    const crossings: number[] = [];
    for (let y = Math.max(0, Math.floor(low)); y <= Math.min(this.height - 1, Math.ceil(high)); ++y) {
      crossings.length = 0;
      const middle = y + 0.5;
      for (let i = from, j = end - 2; i < end; j = i, i += 2) {
        const [ay, by] = [points[j + 1]!, points[i + 1]!];
        if (ay > middle === by > middle) continue;
        crossings.push(points[j]! + ((points[i]! - points[j]!) * (middle - ay)) / (by - ay));
      }
      crossings.sort((a, b) => a - b);
      for (let k = 0; k + 1 < crossings.length; k += 2) {
        this.fillRow(y, Math.round(crossings[k]!), Math.round(crossings[k + 1]!), colour, alpha);
      }
    }
  }
}

// The part of a line within the canvas (Liang and Barsky), or nothing.
function clip(ax: number, ay: number, bx: number, by: number, width: number, height: number): [number, number, number, number] | undefined {
  const [dx, dy] = [bx - ax, by - ay];
  let [t0, t1] = [0, 1];
  for (const [p, q] of [
    [-dx, ax + 2],
    [dx, width + 2 - ax],
    [-dy, ay + 2],
    [dy, height + 2 - ay],
  ] as const) {
    if (p === 0) {
      if (q < 0) return undefined;
    } else if (p < 0) t0 = Math.max(t0, q / p);
    else t1 = Math.min(t1, q / p);
  }
  if (!(t0 <= t1)) return undefined;
  return [ax + t0 * dx, ay + t0 * dy, ax + t1 * dx, ay + t1 * dy];
}

// Drawing into pixels: lines, discs, rings, convex polygons. Everything is clipped; nothing here allocates.

export class Pixels {
  data: Uint32Array;
  constructor(
    readonly width: number,
    readonly height: number,
    data?: Uint32Array,
  ) {
    this.data = data ?? new Uint32Array(width * height);
  }

  // Lays `colour` over the pixel with an opacity of 0 to 256.
  blend(x: number, y: number, colour: number, alpha: number): void {
    if (x < 0 || y < 0 || x >= this.width || y >= this.height) return;
    this.blendAt(y * this.width + x, colour, alpha);
  }

  blendAt(at: number, colour: number, alpha: number): void {
    const old = this.data[at]!;
    const rest = 256 - alpha;
    const rb = (((old & 0xff00ff) * rest + (colour & 0xff00ff) * alpha) >>> 8) & 0xff00ff;
    const g = (((old & 0xff00) * rest + (colour & 0xff00) * alpha) >>> 8) & 0xff00;
    this.data[at] = (0xff000000 | rb | g) >>> 0;
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

  // A smooth line (Wu's algorithm), clipped to the canvas first. `width` 1 or 2 pixels.
  line(ax: number, ay: number, bx: number, by: number, colour: number, alpha = 256, width = 1): void {
    const clipped = clip(ax, ay, bx, by, this.width, this.height);
    if (!clipped) return;
    [ax, ay, bx, by] = clipped;
    const steep = Math.abs(by - ay) > Math.abs(bx - ax);
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

  private dot(steep: boolean, along: number, across: number, colour: number, alpha: number): void {
    if (steep) this.blend(across, along, colour, alpha);
    else this.blend(along, across, colour, alpha);
  }

  // A disc with a smooth edge.
  disc(cx: number, cy: number, radius: number, colour: number, alpha = 256): void {
    const y1 = Math.ceil(cy + radius);
    const x1 = Math.ceil(cx + radius);
    for (let y = Math.floor(cy - radius); y <= y1; ++y) {
      if (y < 0 || y >= this.height) continue;
      for (let x = Math.floor(cx - radius); x <= x1; ++x) {
        const cover = radius + 0.5 - Math.sqrt((x - cx) * (x - cx) + (y - cy) * (y - cy));
        if (cover > 0) this.blend(x, y, colour, cover >= 1 ? alpha : (alpha * cover) | 0);
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

// The ground of a grid: terrain in squares of 64 x 64 cells, the obstacles on it, and the colour of each cell.
//
// A square's colours are made when it is first drawn, with copies at half, quarter ... the size, each cell of which is the
// mean of four. So a wall one cell thick does not vanish when a pixel spans several cells.
import { clearance, hexClearance } from './clearance';
import { colourOf, mix, type Palette } from './palette';
import { nothingAt, type Probed } from './probe';
import { boundsOf, coverRow, type Bounds, type Shape } from './shape';

export const side = 64;
const levels = 7;
const squaresKeptWhole = 4096;
const hiddenLevel = 255;
const wholeMapCellsMost = 1 << 25; // Larger maps are neither labelled nor measured.
// As the server: nearer by less than this is not nearer.
const nearer = 1e-9;

// The colours of a square at each level; those that are not kept are made again when they are needed.
type Levels = (Uint32Array | undefined)[];

export interface TerrainLook {
  factor: number;
  forbidden: boolean;
}

export interface GridObstacle {
  id: string;
  shape: Shape;
  effect: 'blocked' | 'cost';
  factor: number;
  disabled: boolean;
  door?: boolean; // It has been opened or shut.
}

export type GroundLayer = 'terrain' | 'costs' | 'obstacles' | 'components' | 'clearance' | 'team';

interface Cover {
  slots: Set<number>;
  blocked: Uint8Array; // Bits of each cell: 1 blocked, 2 an open door, 4 a body.
  factor: Float32Array;
  top: Int32Array; // Slot of the obstacle drawn on top, or -1.
}

export class GridGround {
  readonly columns: number;
  readonly rows: number;
  readonly terrain: (Uint8Array | undefined)[];
  private overlays: (Uint8Array | undefined)[];
  private readonly covers: (Cover | undefined)[];
  private colours: (Levels | undefined)[];
  private readonly plain = new Map<number, Levels>();
  private readonly obstacles: (GridObstacle | undefined)[] = [];
  private readonly slotOf = new Map<string, number>();
  private readonly stale = new Set<number>();
  private labels: Int32Array | undefined;
  private room: Float32Array | undefined;
  layer: GroundLayer = 'terrain';
  radius = 0; // In cells: the layer `clearance` shows where a walker of this radius fits.
  version = 0;
  hex = false; // Cells are hexagons.

  constructor(
    readonly width: number,
    readonly height: number,
    readonly looks: TerrainLook[],
    public palette: Palette,
    public theme: 'light' | 'dark',
  ) {
    this.columns = Math.ceil(width / side);
    this.rows = Math.ceil(height / side);
    this.terrain = new Array(this.columns * this.rows);
    this.covers = new Array(this.columns * this.rows);
    this.overlays = new Array(this.columns * this.rows);
    this.colours = new Array(this.columns * this.rows);
  }

  // Shows a layer; `radius` as the field of that name.
  show(layer: GroundLayer, radius: number): void {
    if (layer === this.layer && radius === this.radius) return;
    this.layer = layer;
    this.radius = radius;
    this.repaint();
  }

  // Drops all colours: after a change of the theme or the layer.
  repaint(): void {
    this.plain.clear();
    this.colours = new Array(this.columns * this.rows);
    ++this.version;
  }

  // Sets a square's terrain: one byte for each of its 64 x 64 cells, or one byte for all.
  setTerrain(column: number, row: number, terrain: Uint8Array): void {
    this.terrain[row * this.columns + column] = terrain;
    this.changed(row * this.columns + column);
  }

  // Sets what a team has laid over a square: 0 nothing, up to 254 influence, 255 hidden; empty: nothing.
  setOverlay(column: number, row: number, levels: Uint8Array): void {
    this.overlays[row * this.columns + column] = levels.length > 0 ? levels : undefined;
    this.changed(row * this.columns + column);
  }

  clearOverlays(): void {
    this.overlays = new Array(this.columns * this.rows);
    this.repaint();
  }

  put(obstacle: GridObstacle): void {
    let slot = this.slotOf.get(obstacle.id);
    if (slot === undefined) {
      slot = this.obstacles.length;
      this.slotOf.set(obstacle.id, slot);
    } else {
      this.leave(slot);
    }
    this.obstacles[slot] = obstacle;
    this.squaresOf(boundsOf(obstacle.shape), (square) => {
      this.coverOf(square).slots.add(slot);
      this.stale.add(square);
    });
  }

  remove(id: string): void {
    const slot = this.slotOf.get(id);
    if (slot === undefined) return;
    this.leave(slot);
    this.obstacles[slot] = undefined;
    this.slotOf.delete(id);
  }

  placed(): GridObstacle[] {
    return this.obstacles.filter((obstacle) => obstacle !== undefined);
  }

  clearObstacles(): void {
    for (const id of [...this.slotOf.keys()]) this.remove(id);
  }

  // Whether a point agent may stand on the cell.
  isFree(x: number, y: number): boolean {
    if (x < 0 || y < 0 || x >= this.width || y >= this.height) return false;
    const square = (y >> 6) * this.columns + (x >> 6);
    if (this.looks[this.terrainAt(square, x, y)]?.forbidden) return false;
    const cover = this.covers[square];
    return !cover || (cover.blocked[((y & 63) << 6) | (x & 63)]! & 5) === 0;
  }

  terrainAt(square: number, x: number, y: number): number {
    const terrain = this.terrain[square];
    if (!terrain) return 0;
    return terrain.length === 1 ? terrain[0]! : terrain[((y & 63) << 6) | (x & 63)]!;
  }

  // Returns the facts of the cell at a place.
  probe(px: number, py: number): Probed {
    const [x, y] = [Math.floor(px), Math.floor(py)];
    const probed = nothingAt(px, py);
    if (x < 0 || y < 0 || x >= this.width || y >= this.height) return probed;
    this.settle();
    const square = (y >> 6) * this.columns + (x >> 6);
    const at = ((y & 63) << 6) | (x & 63);
    const cover = this.covers[square];
    const obstacles: string[] = [];
    for (const slot of cover?.slots ?? []) {
      const { id, shape } = this.obstacles[slot]!;
      coverRow(shape, y, (first, end) => void (x >= first && x < end && obstacles.push(id)));
    }
    const terrain = this.terrainAt(square, x, y);
    const isSmall = this.width * this.height <= wholeMapCellsMost;
    return {
      ...probed,
      inside: true,
      terrain,
      factor: (this.looks[terrain]?.factor ?? 1) * (cover?.factor[at] ?? 1),
      blocked: !this.isFree(x, y),
      obstacles,
      component: isSmall && this.layer === 'components' ? this.labelled()[y * this.width + x] : undefined,
      room: isSmall && this.layer === 'clearance' ? this.measured()[y * this.width + x] : undefined,
      overlay: this.layer === 'team' ? (this.overlays[square]?.[at] ?? 0) : 0,
    };
  }

  // Brings the covers up to date. To be called before drawing.
  settle(): void {
    if (this.stale.size === 0) return;
    for (const square of this.stale) this.cover(square);
    this.stale.clear();
  }

  // The colours of a square at a level: (64 >> level) cells a side.
  coloursOf(square: number, level: number): Uint32Array {
    const made = this.colours[square]?.[level];
    if (made) return made;
    const terrain = this.terrain[square];
    const plain = (!terrain || terrain.length === 1) && !this.covers[square] && !this.needsPlace() && this.isWhole(square);
    const painted = plain ? this.paintPlain(square, terrain?.[0] ?? 0) : this.paint(square);
    // A large map that is shown whole would need much memory for cells that no pixel shows.
    if (!plain && this.colours.length > squaresKeptWhole) for (let finer = 0; finer < level; ++finer) painted[finer] = undefined;
    this.colours[square] = painted;
    return painted[level]!;
  }

  // Whether the colour of a cell depends on more than its own terrain and obstacles.
  private needsPlace(): boolean {
    return this.needsWholeMap() || this.layer === 'team';
  }

  private needsWholeMap(): boolean {
    return this.layer === 'components' || this.layer === 'clearance';
  }

  // Whether all of the square's cells lie on the map.
  private isWhole(square: number): boolean {
    return ((square % this.columns) + 1) * side <= this.width && (Math.floor(square / this.columns) + 1) * side <= this.height;
  }

  // Squares of one terrain without obstacles share their colours.
  private paintPlain(square: number, terrain: number): Levels {
    const known = this.plain.get(terrain);
    if (known) return known;
    const made = this.paint(square);
    this.plain.set(terrain, made);
    return made;
  }

  private leave(slot: number): void {
    this.squaresOf(boundsOf(this.obstacles[slot]!.shape), (square) => {
      this.covers[square]?.slots.delete(slot);
      this.stale.add(square);
    });
  }

  private changed(square: number): void {
    this.colours[square] = undefined;
    if (this.needsWholeMap()) this.colours = new Array(this.columns * this.rows);
    this.labels = undefined;
    this.room = undefined;
    ++this.version;
  }

  private squaresOf(bounds: Bounds, visit: (square: number) => void): void {
    const x0 = Math.max(0, Math.floor(bounds.x0) >> 6);
    const y0 = Math.max(0, Math.floor(bounds.y0) >> 6);
    const x1 = Math.min(this.columns - 1, Math.floor(bounds.x1) >> 6);
    const y1 = Math.min(this.rows - 1, Math.floor(bounds.y1) >> 6);
    for (let y = y0; y <= y1; ++y) for (let x = x0; x <= x1; ++x) visit(y * this.columns + x);
  }

  private coverOf(square: number): Cover {
    return (this.covers[square] ??= {
      slots: new Set(),
      blocked: new Uint8Array(side * side),
      factor: new Float32Array(side * side).fill(1),
      top: new Int32Array(side * side).fill(-1),
    });
  }

  // Lays the square's obstacles on its cells.
  private cover(square: number): void {
    const cover = this.coverOf(square);
    cover.blocked.fill(0);
    cover.factor.fill(1);
    cover.top.fill(-1);
    const left = (square % this.columns) * side;
    const top = Math.floor(square / this.columns) * side;
    for (const slot of cover.slots) this.lay(cover, slot, left, top);
    if (cover.slots.size === 0) this.covers[square] = undefined;
    this.changed(square);
  }

  private lay(cover: Cover, slot: number, left: number, top: number): void {
    const obstacle = this.obstacles[slot]!;
    const { y0, y1 } = boundsOf(obstacle.shape);
    const bit = obstacle.id.startsWith('body ') ? 4 : obstacle.disabled ? 2 : obstacle.effect === 'blocked' ? 1 : 0;
    const last = Math.min(top + side, this.height, Math.ceil(y1));
    for (let y = Math.max(top, Math.floor(y0)); y < last; ++y) {
      coverRow(obstacle.shape, y, (first, end) => {
        for (let x = Math.max(left, first); x < Math.min(left + side, end); ++x) {
          const at = ((y - top) << 6) | (x - left);
          cover.blocked[at]! |= bit;
          if (bit === 0) cover.factor[at] = cover.factor[at]! * obstacle.factor;
          if (bit !== 2 || cover.top[at] === -1) cover.top[at] = slot;
        }
      });
    }
  }

  private paint(square: number): Levels {
    const made: Uint32Array[] = [new Uint32Array(side * side)];
    const left = (square % this.columns) * side;
    const top = Math.floor(square / this.columns) * side;
    const base = this.looks.map((_, index) => this.colourOfTerrain(index));
    for (let y = top; y < top + side; ++y) {
      for (let x = left; x < left + side; ++x) {
        const at = ((y - top) << 6) | (x - left);
        made[0]![at] = x < this.width && y < this.height ? this.colourOfCell(square, at, x, y, base) : this.palette.outside;
      }
    }
    for (let level = 1; level < levels; ++level) made.push(halved(made[level - 1]!, side >> level));
    return made;
  }

  private colourOfTerrain(index: number): number {
    const look = this.looks[index]!;
    if (look.forbidden) return this.palette.wall;
    if (look.factor <= 1) return this.palette.free;
    return mix(this.palette.free, this.palette.dear, Math.min(0.85, 0.18 + Math.log10(look.factor) * 0.45));
  }

  private colourOfCell(square: number, at: number, x: number, y: number, base: number[]): number {
    const colour = this.colourOfGround(square, at, x, y, base);
    const level = this.layer === 'team' ? (this.overlays[square]?.[at] ?? 0) : 0;
    if (level === 0) return colour;
    return level === hiddenLevel ? mix(colour, this.palette.ink, 0.55) : mix(colour, this.palette.ghost, 0.15 + (0.7 * level) / hiddenLevel);
  }

  private colourOfGround(square: number, at: number, x: number, y: number, base: number[]): number {
    const terrain = this.terrainAt(square, x, y);
    const cover = this.covers[square];
    const blocked = cover ? cover.blocked[at]! : 0;
    const wall = this.looks[terrain]?.forbidden ?? false;
    if (this.layer === 'costs') return this.colourOfCost(wall || (blocked & 5) !== 0, terrain, cover?.factor[at] ?? 1);
    if (blocked & 5) {
      if (this.layer === 'obstacles') return colourOf(numberOf(this.obstacles[cover!.top[at]!]!.id), this.theme);
      return blocked & 4 ? this.palette.body : this.palette.blocked;
    }
    const under = base[terrain] ?? this.palette.free;
    if (wall) return under;
    if (this.needsWholeMap() && this.width * this.height <= wholeMapCellsMost) return this.colourOfPlace(y * this.width + x, under);
    if (blocked & 2) return mix(under, this.palette.open, 0.9);
    const factor = cover?.factor[at] ?? 1;
    return factor > 1 ? mix(under, this.palette.dear, Math.min(0.7, 0.2 + Math.log10(factor) * 0.4)) : under;
  }

  // The colour of a free cell by its component, or by the room around it: dark where the walker has none, else the lighter the more.
  private colourOfPlace(cell: number, under: number): number {
    if (this.layer === 'components') {
      const label = this.labelled()[cell]!;
      return label > 1 ? mix(under, colourOf(label, this.theme), 0.55) : under;
    }
    const room = this.measured()[cell]!;
    if (room < this.radius - nearer) return mix(under, this.palette.blocked, 0.75);
    return mix(under, this.palette.open, 0.6 / Math.max(1, room - this.radius));
  }

  private colourOfCost(blocked: boolean, terrain: number, factor: number): number {
    if (blocked) return this.palette.wall;
    const all = Math.min(1000, factor * (this.looks[terrain]?.factor ?? 1));
    return mix(this.palette.free, this.palette.dear, Math.min(1, Math.log10(Math.max(1, all)) / 1.5));
  }

  private measured(): Float32Array {
    return (this.room ??= (this.hex ? hexClearance : clearance)(this.width, this.height, (x, y) => this.isFree(x, y)));
  }

  // The connected component of each cell for a point agent, from 1 on in the order of size; 0 where it is blocked.
  // A diagonal step needs a free flank, so two straight steps lead there too.
  private labelled(): Int32Array {
    return (this.labels ??= components(this.width, this.height, (x, y) => this.isFree(x, y), this.hex));
  }
}

// Returns the number of an obstacle's colour, which is the same in every view.
export function numberOf(id: string): number {
  return Number(BigInt(id.replace('body ', '')) % 9973n);
}

function halved(from: Uint32Array, size: number): Uint32Array {
  const to = new Uint32Array(size * size);
  const wide = size * 2;
  for (let y = 0; y < size; ++y) {
    for (let x = 0; x < size; ++x) {
      const at = y * 2 * wide + x * 2;
      const [a, b, c, d] = [from[at]!, from[at + 1]!, from[at + wide]!, from[at + wide + 1]!];
      const rb = (((a & 0xff00ff) + (b & 0xff00ff) + (c & 0xff00ff) + (d & 0xff00ff)) >>> 2) & 0xff00ff;
      const g = (((a & 0xff00) + (b & 0xff00) + (c & 0xff00) + (d & 0xff00)) >>> 2) & 0xff00;
      to[y * size + x] = (0xff000000 | rb | g) >>> 0;
    }
  }
  return to;
}

export function components(width: number, height: number, free: (x: number, y: number) => boolean, hex = false): Int32Array {
  const labels = new Int32Array(width * height);
  const stack: number[] = [];
  const sizes: number[] = [0];
  for (let i = 0; i < labels.length; ++i) labels[i] = free(i % width, Math.floor(i / width)) ? -1 : 0;
  for (let seed = 0; seed < labels.length; ++seed) {
    if (labels[seed] !== -1) continue;
    const label = sizes.length;
    let size = 0;
    labels[seed] = label;
    stack.push(seed);
    while (stack.length > 0) {
      const at = stack.pop()!;
      ++size;
      const x = at % width;
      const around = [x > 0 ? at - 1 : -1, x + 1 < width ? at + 1 : -1, at - width, at + width];
      if (hex) {
        // The second cell in the row above and in that below: to the right of odd rows, to the left of even ones.
        const by = Math.floor(at / width) & 1 ? 1 : -1;
        if (x + by >= 0 && x + by < width) around.push(at - width + by, at + width + by);
      }
      for (const next of around) {
        if (next < 0 || next >= labels.length || labels[next] !== -1) continue;
        labels[next] = label;
        stack.push(next);
      }
    }
    sizes.push(size);
  }
  const order = sizes.map((_, label) => label).sort((a, b) => (a && b ? sizes[b]! - sizes[a]! : a - b));
  const rank = new Int32Array(sizes.length);
  order.forEach((label, place) => (rank[label] = place));
  for (let i = 0; i < labels.length; ++i) labels[i] = rank[labels[i]!]!;
  return labels;
}

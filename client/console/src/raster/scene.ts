// The content of the map, and how one frame of it is drawn.
//
// The ground is drawn when it or the view has changed and kept; a frame copies it and lays shapes, paths and agents on it.
import { Pixels } from './canvas';
import { drawFilm, type Film } from './film_pixels';
import { GridGround, numberOf, type GridObstacle, type GroundLayer } from './grid';
import { drawGraph, drawHexagons, drawMesh, drawPortals, drawSquares, type GraphGround, type MeshGround } from './ground_pixels';
import { drawLabels } from './labels';
import { drawPlacements, type Placements } from './placement_pixels';
import { portalsOf, type Portal } from './portals';
import { agentColours, agentStates, colourOf, hiddenState, paletteOf, rgb, type Palette } from './palette';
import { cellAt, filmNodeAt, graphAt, nothingAt, type Probed } from './probe';
import { holds, outlineOf, type Shape } from './shape';
import { toPlane, type View } from './view';

export interface Layers {
  ground: GroundLayer;
  radius: number; // For the layer `clearance`, see GridGround.
  agents: boolean;
  paths: boolean;
  obstacles: boolean;
  portals: boolean; // Of meshes.
  floor: number; // Of meshes; -1: all.
}

// A shape or a line laid over the map for a while.
export interface Mark {
  kind: 'ghost' | 'selected' | 'blink' | 'old' | 'new' | 'cut' | 'hover' | 'start' | 'goal' | 'agent';
  shape?: Shape;
  line?: Float32Array;
  point?: [number, number];
  state?: number; // State of an agent, see palette.ts.
  label?: 'chosen';
}

// From places of the world to pixels. `plain`: by a shift and a factor.
interface Project {
  (x: number, y: number): [number, number];
  plain?: boolean;
}

export const pathsShownMax = 2000;

export class Scene {
  theme: 'light' | 'dark' = 'light';
  palette: Palette = paletteOf('light');
  layers: Layers = { ground: 'terrain', radius: 0, agents: true, paths: true, obstacles: true, portals: false, floor: -1 };
  hex = false;
  grid: GridGround | undefined;
  mesh: MeshGround | undefined;
  graph: GraphGround | undefined;
  // Obstacles of meshes, by id; those of grids lie on the cells.
  readonly shapes = new Map<string, GridObstacle>();
  // Position of each slot now and before; NaN for a slot without an agent.
  at: Float32Array = new Float32Array(0);
  before: Float32Array = new Float32Array(0);
  states: Uint8Array = new Uint8Array(0);
  waiting: Uint8Array = new Uint8Array(0);
  // Time of the positions, milliseconds, and the time until the next are expected.
  movedAt = 0;
  moveMs = 1;
  readonly paths: (Float32Array | undefined)[] = [];
  marks: Mark[] = [];
  placements: Placements | undefined;
  film: Film | undefined;
  filmAt = 0;
  selected = -1;
  labelTimes = 1; // Pixels of the canvas for one of a digit.
  // Grows with each change of what the base holds, but for the ground.
  version = 0;
  private kept: Pixels | undefined;
  private keptBase: Pixels | undefined;
  private baseFor = '';
  private keptFor = '';
  private groundVersion = 0;
  private portalsFor: MeshGround | undefined;
  private portals: Portal[] = [];

  // A scene with a first one shows that one's ground and obstacles.
  constructor(private readonly first?: Scene) {}

  setTheme(theme: 'light' | 'dark'): void {
    this.theme = theme;
    this.palette = paletteOf(theme);
    if (this.grid) {
      this.grid.theme = theme;
      this.grid.palette = this.palette;
      this.grid.repaint();
    }
    ++this.groundVersion;
  }

  setLayers(layers: Layers): void {
    this.grid?.show(layers.ground, layers.radius);
    this.layers = layers;
    ++this.groundVersion;
  }

  groundChanged(): void {
    ++this.groundVersion;
  }

  // Whether the picture changes with time alone.
  get moving(): boolean {
    return performance.now() < this.movedAt + this.moveMs + 50 || this.marks.some((mark) => mark.kind === 'blink');
  }

  // Draws a frame. `now` is in milliseconds, on the clock of movedAt.
  draw(view: View, out: Pixels, now: number): void {
    const project = this.projector(view, out);
    out.data.set(this.base(view, out, project).data);
    if (this.layers.paths) this.drawChosenPath(project, out);
    for (const mark of this.marks) this.drawMark(mark, project, out, now, view);
    if (this.layers.agents) this.drawAgents(view, out, now);
  }

  // Returns the facts of a place. `reach` is how far a node of a graph or of a search may be, in world units.
  probe(x: number, y: number, reach: number): Probed {
    const { grid, mesh, graph } = this.first ?? this;
    const probed = grid ? grid.probe(x, y) : mesh ? this.probeMesh(mesh, x, y) : nothingAt(x, y);
    if (graph) {
      const found = graphAt(graph, x, y, reach);
      const node = found && 'node' in found ? found.node : undefined;
      const edge = found && 'edge' in found ? found.edge : undefined;
      if (node !== undefined) Object.assign(probed, { inside: true, node, disabled: graph.disabledNodes[node] === 1 });
      if (edge !== undefined) Object.assign(probed, { inside: true, edge: [...graph.edges.subarray(edge * 2, edge * 2 + 2)], disabled: graph.disabledEdges[edge] === 1 });
    }
    return { ...probed, film: this.film && filmNodeAt(this.film, this.filmAt, x, y, reach) };
  }

  private probeMesh(mesh: MeshGround, x: number, y: number): Probed {
    const { shapes, layers } = this.first ?? this;
    const cell = cellAt(mesh, x, y, layers.floor);
    const obstacles = [...shapes.values()].filter(({ shape }) => holds(shape, x, y)).map(({ id }) => id);
    const probed = { ...nothingAt(x, y), obstacles };
    if (cell < 0) return { ...probed, blocked: obstacles.length > 0 };
    return { ...probed, inside: true, cell, terrain: mesh.areas[cell]!, factor: mesh.factors[cell] ?? 1, height: mesh.heights[cell] };
  }

  // All that stands still between two changes: ground, obstacles of meshes, the film, paths.
  private base(view: View, out: Pixels, project: Project): Pixels {
    const ground = this.ground(view, out);
    const wanted = `${this.keptFor} ${this.version} ${this.filmAt} ${this.selected}`;
    if (this.keptBase && wanted === this.baseFor) return this.keptBase;
    if (!this.keptBase || this.keptBase.width !== out.width || this.keptBase.height !== out.height) {
      this.keptBase = new Pixels(out.width, out.height);
    }
    this.baseFor = wanted;
    const base = this.keptBase;
    base.data.set(ground.data);
    if (this.placements) drawPlacements(this.placements, view, base, this.palette, this.hex);
    if (this.layers.obstacles) for (const obstacle of (this.first ?? this).shapes.values()) this.drawObstacle(obstacle, project, base);
    if (this.film) drawFilm(this.film, this.filmAt, view, base, this.palette, (this.first ?? this).hex);
    if (this.layers.paths) this.drawPaths(project, base);
    if (this.layers.obstacles) this.drawLabels(view, project, base);
    return base;
  }

  private drawLabels(view: View, project: Project, out: Pixels): void {
    const { grid, shapes, layers } = this.first ?? this;
    drawLabels(() => (grid ? grid.placed() : shapes.values()), layers.ground === 'obstacles', project, view.scale, out, this.palette, this.labelTimes);
  }

  // The position at a time: agents walk straight from the place before to the one reported last.
  positionOf(slot: number, now: number): [number, number] {
    const t = Math.min(1, Math.max(0, (now - this.movedAt) / this.moveMs));
    const [ax, ay] = [this.before[slot * 2]!, this.before[slot * 2 + 1]!];
    const [bx, by] = [this.at[slot * 2]!, this.at[slot * 2 + 1]!];
    return [ax + (bx - ax) * t, ay + (by - ay) * t];
  }

  private ground(view: View, out: Pixels): Pixels {
    const { grid, mesh, graph, hex } = this.first ?? this;
    grid?.settle();
    const wanted = `${view.x} ${view.y} ${view.scale} ${out.width} ${out.height} ${(this.first ?? this).groundVersion} ${grid?.version}`;
    if (this.kept && wanted === this.keptFor) return this.kept;
    if (!this.kept || this.kept.width !== out.width || this.kept.height !== out.height) {
      this.kept = new Pixels(out.width, out.height);
    }
    this.keptFor = wanted;
    const { ground: layer, floor, portals } = (this.first ?? this).layers;
    if (grid && hex) drawHexagons(grid, view, this.kept);
    else if (grid) drawSquares(grid, view, this.kept);
    else if (mesh) {
      drawMesh(mesh, view, this.kept, this.palette, this.theme, layer, floor);
      if (portals) drawPortals(mesh, this.portalsOf(mesh), view, this.kept, this.palette, floor);
    } else if (graph) drawGraph(graph, view, this.kept, this.palette);
    else this.kept.data.fill(this.palette.outside);
    return this.kept;
  }

  // The portals of a mesh are found once, when they are first shown.
  private portalsOf(mesh: MeshGround): Portal[] {
    if (this.portalsFor !== mesh) [this.portalsFor, this.portals] = [mesh, portalsOf(mesh)];
    return this.portals;
  }

  private projector(view: View, out: Pixels): Project {
    const { hex } = this.first ?? this;
    const project: Project = (x, y) => {
      const [px, py] = toPlane(x, y, hex);
      return [(px - view.x) * view.scale + out.width / 2 - 0.5, (py - view.y) * view.scale + out.height / 2 - 0.5];
    };
    project.plain = !hex;
    return project;
  }

  private drawObstacle(obstacle: GridObstacle, project: Project, out: Pixels): void {
    const points = projectAll(outlineOf(obstacle.shape), project);
    const byId = (this.first ?? this).layers.ground === 'obstacles';
    const colour = byId ? colourOf(numberOf(obstacle.id), this.theme) : obstacle.effect === 'blocked' ? this.palette.blocked : this.palette.dear;
    if (!obstacle.disabled) out.polygon(points, 0, points.length, colour, obstacle.effect === 'blocked' ? 200 : 70);
    closedLine(out, points, obstacle.disabled ? this.palette.wall : colour, 220);
  }

  private drawPaths(project: Project, out: Pixels): void {
    let shown = 0;
    const colours = this.stateColours();
    for (let slot = 0; slot < this.states.length && shown < pathsShownMax; ++slot) {
      const path = this.paths[slot];
      if (!path || path.length < 4 || slot === this.selected || this.states[slot] === hiddenState) continue;
      ++shown;
      polyline(out, path, project, colours[this.states[slot]!]!, this.selected >= 0 ? 60 : 120, 1);
    }
  }

  private drawChosenPath(project: Project, out: Pixels): void {
    const colours = this.stateColours();
    const chosen = this.paths[this.selected];
    if (chosen && this.states[this.selected] !== hiddenState) polyline(out, chosen, project, colours[this.states[this.selected] ?? 0]!, 256, 3);
  }

  private stateColours(): number[] {
    return agentStates.map((name) => rgb(agentColours[this.theme][name]));
  }

  private drawAgents(view: View, out: Pixels, now: number): void {
    const colours = this.stateColours();
    const project = this.projector(view, out);
    const radius = agentRadius(view);
    const t = Math.min(1, Math.max(0, (now - this.movedAt) / this.moveMs));
    const { at, before } = this;
    const [ox, oy] = project(0, 0);
    for (let slot = 0; slot < this.states.length; ++slot) {
      const x = before[slot * 2]! + (at[slot * 2]! - before[slot * 2]!) * t;
      const y = before[slot * 2 + 1]! + (at[slot * 2 + 1]! - before[slot * 2 + 1]!) * t;
      let cx = x * view.scale + ox;
      let cy = y * view.scale + oy;
      if (!project.plain) [cx, cy] = project(x, y);
      // A slot without an agent is no number, and passes none of the comparisons.
      if (!(cx >= -12 && cy >= -12 && cx <= out.width + 12 && cy <= out.height + 12)) continue;
      if (radius > 2.5) out.disc(cx, cy, radius + 1.2, this.palette.free, 210);
      out.disc(cx, cy, radius, colours[this.states[slot]!]!);
      if (this.waiting[slot]) out.ring(cx, cy, radius + 2.2, this.palette.goal, 1.4);
      if (slot === this.selected) {
        out.ring(cx, cy, radius + 4, this.palette.ink, 2);
        out.ring(cx, cy, radius + 6, this.palette.free, 1.5);
      }
    }
  }

  private drawMark(mark: Mark, project: Project, out: Pixels, now: number, view: View): void {
    if (mark.kind === 'agent') return this.drawPastAgent(mark, project, out, view);
    const colour = this.colourOfMark(mark.kind);
    const pulse = mark.kind === 'blink' ? 0.5 + 0.5 * Math.cos(now / 140) : 1;
    if (mark.shape) {
      const points = projectAll(outlineOf(mark.shape), project);
      out.polygon(points, 0, points.length, colour, Math.round((mark.kind === 'hover' ? 30 : mark.kind === 'selected' ? 60 : 110) * pulse));
      closedLine(out, points, colour, 256, 2);
    }
    if (mark.line) polyline(out, mark.line, project, colour, mark.kind === 'old' ? 170 : 256, mark.kind === 'old' ? 2 : 3);
    if (mark.point) {
      const [x, y] = project(...mark.point);
      const radius = mark.kind === 'cut' ? Math.max(5, view.scale * 0.5) : Math.max(5, Math.min(9, view.scale * 0.4));
      if (mark.kind === 'cut' || mark.kind === 'hover') out.ring(x, y, radius, colour, 2);
      else {
        out.disc(x, y, radius + 1.5, this.palette.free);
        out.disc(x, y, radius, colour);
        if (mark.kind === 'goal') out.disc(x, y, radius * 0.45, this.palette.free);
      }
    }
  }

  private drawPastAgent({ line, point, state, label }: Mark, project: Project, out: Pixels, view: View): void {
    const colour = this.stateColours()[state ?? 0]!;
    if (line) polyline(out, line, project, colour, label ? 256 : 120, label ? 3 : 1);
    const [x, y] = project(...point!);
    const radius = agentRadius(view);
    out.disc(x, y, radius + 1.2, this.palette.free, 210);
    out.disc(x, y, radius, colour);
    if (label) out.ring(x, y, radius + 4, this.palette.ink, 2);
  }

  private colourOfMark(kind: Mark['kind']): number {
    if (kind === 'selected' || kind === 'hover' || kind === 'new') return this.palette.accent;
    if (kind === 'old') return this.palette.goal;
    if (kind === 'start') return this.palette.start;
    if (kind === 'goal') return this.palette.goal;
    return this.palette.ghost;
  }
}

function agentRadius({ scale }: View): number {
  return Math.max(1.4, Math.min(7, scale * 0.34));
}

function projectAll(points: number[], project: Project): number[] {
  const to: number[] = [];
  for (let i = 0; i < points.length; i += 2) to.push(...project(points[i]!, points[i + 1]!));
  return to;
}

function closedLine(out: Pixels, points: number[], colour: number, alpha: number, width = 1): void {
  for (let i = 0, j = points.length - 2; i < points.length; j = i, i += 2) {
    out.line(points[j]!, points[j + 1]!, points[i]!, points[i + 1]!, colour, alpha, width);
  }
}

// A line through places of the world. Without hexagons the way to pixels is a shift and a factor, which costs little.
function polyline(out: Pixels, line: Float32Array, project: Project, colour: number, alpha: number, width: number): void {
  let [ax, ay] = project(line[0]!, line[1]!);
  const [ox, oy] = project(0, 0);
  const scale = project(1, 0)[0] - ox;
  const plain = project.plain;
  for (let i = 2; i < line.length; i += 2) {
    let bx: number;
    let by: number;
    if (plain) {
      bx = line[i]! * scale + ox;
      by = line[i + 1]! * scale + oy;
    } else {
      [bx, by] = project(line[i]!, line[i + 1]!);
    }
    out.line(ax, ay, bx, by, colour, alpha, width);
    ax = bx;
    ay = by;
  }
}

// One world as the page knows it: takes the feed's news, keeps them for the panels, hands them on to the map.
import { batch, signal } from '@preact/signals';
import type { Body, ChangeBatch, Obstacle } from '../../gen/repath/v1/changes_pb';
import { Topology } from '../../gen/repath/v1/common_pb';
import type { GetStatsResponse } from '../../gen/repath/v1/debug_pb';
import { EventType, type EventBatch, type PathEvent } from '../../gen/repath/v1/event_pb';
import type { Change, World } from '../../gen/repath/v1/world_pb';
import { bodyOf, drawnOf } from '../feed/convert';
import type { AgentsView, FeedSink, FeedStatus, Overlay, Square } from '../feed/feed';
import type { GridObstacle } from '../raster/grid';
import type { Mark } from '../raster/scene';
import type { GraphGround, MeshGround } from '../raster/ground_pixels';
import type { RpcError } from '../wire/error';
import { AgentTable, brokenShownMs } from './agent_table';
import { floorsOf, heightAt, type Floor } from './floors';
import { applyTo, type Standing } from './replay';
import { Series } from './series';
import type { Surface } from './surface';

const changesKept = 500;
const feedLines = 200;
const turnMs = 500;
const brokenMost = 100; // Broken paths marked at a time.

export class WorldModel implements FeedSink {
  readonly feed = signal<FeedStatus>({ kind: 'loading', what: 'world' });
  readonly meta = signal<World | undefined>(undefined);
  readonly figures = signal<GetStatsResponse | undefined>(undefined);
  readonly settled = signal(0n);
  readonly waiting = signal(0n);
  readonly late = signal(0n);
  readonly standing: Standing = { obstacles: new Map(), bodies: new Map() };
  readonly doors = new Set<bigint>(); // Obstacles that are open, or were opened or shut as far as is known.
  readonly obstacleCount = signal(0);
  readonly obstaclesVersion = signal(0);
  readonly agents: AgentTable;
  readonly agentsVersion = signal(0);
  // Grows as agentsVersion does, but at most twice a second: for what goes through all agents.
  readonly agentsTurn = signal(0);
  private turnAsked = false;
  readonly recent = signal<PathEvent[]>([]);
  readonly caused = signal<PathEvent[]>([]); // As `recent`, but only verdicts that a change of the world caused; reaches back farther.
  readonly broken = signal<Mark[]>([]); // Paths that broke a moment ago, with their agents.
  // The world's history (World.epoch); another one is another world of the same name.
  readonly epoch = signal('');
  private brokenTimer = 0;
  readonly committed = signal<Change[]>([]);
  readonly series = new Series();
  readonly seriesVersion = signal(0);
  readonly bounds = signal<{ x0: number; y0: number; x1: number; y1: number } | undefined>(undefined);
  readonly floors = signal(1);
  readonly teamTrouble = signal<RpcError | undefined>(undefined);
  readonly floorRanges = signal<Floor[]>([]);
  graph: { ground: GraphGround; ids: bigint[]; heights: number[] } | undefined;
  mesh: MeshGround | undefined;
  unit = 1;
  readonly shownPast = signal(false);
  private past: Standing | undefined;
  private isDrawn = false; // The map has what `shown` has. Not so when the world was read again while the past is shown.

  constructor(readonly surface: Surface) {
    this.agents = new AgentTable(surface);
  }

  get obstacles(): Map<bigint, Obstacle> {
    return this.standing.obstacles;
  }

  // The obstacles that the map shows: those of now, or those of the past revision.
  get shown(): Standing {
    return this.past ?? this.standing;
  }

  get isGrid(): boolean {
    return this.meta.value?.kind === 'grid';
  }

  get isHex(): boolean {
    return this.meta.value?.profiles.find((profile) => profile.name === 'default')?.topology === Topology.TOPOLOGY_HEX;
  }

  onStatus(status: FeedStatus): void {
    this.feed.value = status;
  }

  onWorld(world: World, fresh: boolean): void {
    if (fresh && world.epoch !== this.epoch.value) {
      this.recent.value = [];
      this.caused.value = [];
      this.committed.value = [];
      this.doors.clear();
      this.series.forget();
      this.epoch.value = world.epoch;
    }
    this.meta.value = world;
    if (!fresh) return;
    this.isDrawn = false;
    this.unit = world.kind === 'grid' ? world.cellSize : 1;
    this.agents.begin(this.unit);
    this.series.reset();
    if (world.kind === 'grid') {
      const looks = world.terrainClasses.map(({ factor, forbidden }) => ({ factor, forbidden }));
      this.surface.send({ kind: 'grid', width: world.width, height: world.height, hex: this.isHex, looks });
      const [wide, high] = this.isHex ? [world.width + 0.5, world.height * (Math.sqrt(3) / 2)] : [world.width, world.height];
      this.bounds.value = { x0: 0, y0: 0, x1: wide, y1: high };
    } else {
      const [least, most] = [world.boundsMin, world.boundsMax];
      this.bounds.value = { x0: least?.x ?? 0, y0: least?.z ?? 0, x1: most?.x ?? 1, y1: most?.z ?? 1 };
    }
  }

  onSquares(squares: Square[]): void {
    this.surface.send({ kind: 'tiles', tiles: squares });
  }

  onOverlays(overlays: Overlay[], reset: boolean): void {
    this.surface.send({ kind: 'overlays', overlays, reset });
  }

  onTeamTrouble(error: RpcError | undefined): void {
    this.teamTrouble.value = error;
  }

  onMesh(mesh: MeshGround): void {
    this.mesh = mesh;
    this.floorRanges.value = floorsOf(mesh);
    this.floors.value = Math.max(1, this.floorRanges.value.length);
    this.surface.send({ kind: 'mesh', mesh });
  }

  onGraph(graph: GraphGround, ids: bigint[], heights: number[]): void {
    this.graph = { ground: graph, ids, heights };
    this.surface.send({ kind: 'graph', graph });
  }

  onObstacles(obstacles: Obstacle[], bodies: Body[], reset: boolean): void {
    if (reset) {
      this.standing.obstacles.clear();
      this.standing.bodies.clear();
    }
    for (const obstacle of obstacles) {
      this.standing.obstacles.set(obstacle.id, obstacle);
      if (obstacle.disabled) this.doors.add(obstacle.id);
    }
    for (const body of bodies) this.standing.bodies.set(body.agentId, body);
    this.draw(obstacles, bodies, [], reset);
  }

  onView(view: AgentsView): void {
    batch(() => {
      this.agents.look(view);
      this.settled.value = view.settledRevision;
      this.waiting.value = view.waitingCount;
      this.late.value = view.lateCount;
      if (view.ids.length + view.removed.length > 0 || view.whole) this.agentsChanged();
    });
  }

  onVerdicts(news: EventBatch): void {
    batch(() => {
      if (news.events.length === 0) return;
      this.markBroken(news.events);
      this.agents.hear(news.events);
      const told = news.events.filter((event) => event.type !== EventType.CONFIRMED);
      const added = (to: PathEvent[], events: PathEvent[]) => [...events.slice(-feedLines).reverse(), ...to].slice(0, feedLines);
      this.recent.value = added(this.recent.value, told);
      const caused = told.filter(({ causeRevisions }) => causeRevisions.length > 0);
      for (const { waitedUs } of told) if (waitedUs > 0n) this.series.heard(Number(waitedUs) / 1000);
      if (caused.length > 0) this.caused.value = added(this.caused.value, caused);
      this.agentsChanged();
    });
  }

  onChanges(changes: Change[]): void {
    for (const { batch: made } of changes) if (made) this.applyBatch(made);
    this.committed.value = [...changes.slice().reverse(), ...this.committed.value].slice(0, changesKept);
    const last = changes.at(-1);
    if (last && this.meta.value && last.revision > this.meta.value.revision) {
      this.meta.value = { ...this.meta.value, revision: last.revision };
    }
  }

  onStats(stats: GetStatsResponse): void {
    this.figures.value = stats;
    this.series.add(stats, performance.now());
    ++this.seriesVersion.value;
  }

  // The height of the ground at a place, in world units: on meshes that of the floor chosen, or with -1 of the highest; on graphs
  // that of the nearest node.
  heightAt(x: number, y: number, floor: number): number {
    if (this.mesh) return heightAt(this.mesh, x, y, floor) ?? this.floorRanges.value[Math.max(0, floor)]?.low ?? 0;
    let [nearest, least] = [0, Infinity];
    this.graph?.heights.forEach((height, i) => {
      const { nodes } = this.graph!.ground;
      const distance = Math.hypot(nodes[i * 2]! - x, nodes[i * 2 + 1]! - y);
      if (distance < least) [nearest, least] = [height, distance];
    });
    return nearest;
  }

  // Shows what stood at another time instead of now; nothing: shows the present again.
  showPast(past: Standing | undefined): void {
    const before = this.isDrawn ? this.shown : { obstacles: new Map<bigint, Obstacle>(), bodies: new Map<bigint, Body>() };
    this.past = past;
    const after = this.shown;
    const gone = (of: 'obstacles' | 'bodies', prefix: string) => [...before[of].keys()].filter((id) => !after[of].has(id)).map((id) => prefix + id);
    // An obstacle that did not change is the same object in both, so playing a history sends only the changes.
    this.put(
      [...after.obstacles.values()].filter((obstacle) => before.obstacles.get(obstacle.id) !== obstacle),
      [...after.bodies.values()].filter((body) => before.bodies.get(body.agentId) !== body),
      [...gone('obstacles', ''), ...gone('bodies', 'body ')],
      !this.isDrawn,
    );
    this.isDrawn = true;
    this.shownPast.value = past !== undefined;
    ++this.obstaclesVersion.value;
  }

  // A new path may follow within a frame, so what broke is marked for a moment.
  private markBroken(events: PathEvent[]): void {
    const marks: Mark[] = [];
    for (const { type, agentId } of events) {
      const row = type === EventType.INVALIDATED ? this.agents.rows.get(agentId) : undefined;
      if (!row || marks.length >= 2 * brokenMost) continue;
      if (row.path) marks.push({ kind: 'old', line: row.path });
      marks.push({ kind: 'cut', point: this.agents.placeOf(row) });
    }
    if (marks.length === 0) return;
    this.broken.value = [...this.broken.value, ...marks].slice(-2 * brokenMost);
    clearTimeout(this.brokenTimer);
    this.brokenTimer = window.setTimeout(() => {
      this.broken.value = [];
      this.agents.calm();
      ++this.agentsTurn.value;
    }, brokenShownMs);
  }

  private agentsChanged(): void {
    ++this.agentsVersion.value;
    if (this.turnAsked) return;
    this.turnAsked = true;
    setTimeout(() => {
      this.turnAsked = false;
      ++this.agentsTurn.value;
    }, turnMs);
  }

  // Learns from batches of the history which obstacles are doors.
  learnDoors(changes: Change[]): void {
    const known = this.doors.size;
    for (const { batch: made } of changes) for (const { id } of made?.switchObstacles ?? []) this.doors.add(id);
    if (this.doors.size > known) this.put([...this.shown.obstacles.values()].filter(({ id }) => this.doors.has(id)), [], [], false);
  }

  private applyBatch(made: ChangeBatch): void {
    applyTo(this.standing, made);
    for (const { id } of made.switchObstacles) this.doors.add(id);
    const put = [...made.upsertObstacles];
    for (const { id } of made.switchObstacles) {
      const known = this.obstacles.get(id);
      if (known) put.push(known);
    }
    const gone = [...made.removeObstacles.map(String), ...made.walkOn.map((id) => `body ${id}`)];
    if (put.length + made.stand.length + gone.length > 0) this.draw(put, made.stand, gone, false);
  }

  private draw(obstacles: Obstacle[], bodies: Body[], removed: string[], reset: boolean): void {
    if (!this.past) this.put(obstacles, bodies, removed, reset);
    this.obstacleCount.value = this.obstacles.size;
    ++this.obstaclesVersion.value;
  }

  private put(obstacles: Obstacle[], bodies: Body[], removed: string[], reset: boolean): void {
    const put = [
      ...obstacles.map((obstacle) => drawnOf(obstacle, this.unit, this.doors.has(obstacle.id))),
      ...bodies.map((body) => bodyOf(body, this.unit)),
    ].filter((drawn): drawn is GridObstacle => drawn !== undefined);
    this.surface.send({ kind: 'obstacles', put, removed, reset });
  }
}

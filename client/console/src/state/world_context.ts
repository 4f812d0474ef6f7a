// Everything that the page of one world holds together: model, feed, camera, tools, marks on the map.
import { computed, effect, signal, untracked } from '@preact/signals';
import type { Feed } from '../feed/feed';
import { LiveFeed } from '../feed/live_feed';
import { Editor } from '../edit/editor';
import { SearchState } from './search_state';
import { HistoryState } from './history_state';
import { radiusMost } from '../raster/clearance';
import { boundsOf, holds, type Shape } from '../raster/shape';
import type { Layers, Mark } from '../raster/scene';
import type { ToSurface } from '../raster/messages';
import { fitted, fromPlane, toPlane, toWorld, type Inset, type Size, type View } from '../raster/view';
import { shapeOf } from '../feed/convert';
import { Access } from './access';
import { AgentDetails } from './agent_details';
import type { Row } from './agent_table';
import { floorAt } from './floors';
import { PlacementState } from './placements';
import { route, turn } from './route';
import { Surface } from './surface';
import { theme } from './theme';
import { Walkers } from './walkers';
import { WorldModel } from './world_model';

export type Tool = 'select' | 'box' | 'disc' | 'polygon' | 'wall' | 'agent' | 'goal' | 'search';

const scaleLeast = 0.01;
const scaleMost = 160;
const teamMost = 31;

export class WorldContext {
  readonly surface = new Surface();
  readonly model = new WorldModel(this.surface);
  readonly feed: Feed;
  readonly walkers: Walkers;
  readonly details: AgentDetails;
  readonly tool = signal<Tool>('select');
  readonly size = signal<Size>({ width: 1, height: 1 }); // CSS pixels.
  readonly view = signal<View>({ x: 0, y: 0, scale: 1 });
  readonly hover = signal<[number, number] | undefined>(undefined); // Under the pointer, or where the map was tapped.
  readonly middleRead = signal(false); // The middle of the map is read out, for those without a pointer.
  // The place that is read out.
  readonly readAt = computed<[number, number] | undefined>(() => {
    const { width, height } = this.size.value;
    return this.middleRead.value ? this.at(width / 2, height / 2) : this.hover.value;
  });
  private readonly layerName = computed(() => route.value.layer);
  private readonly hidden = computed(() => route.value.hide);
  private readonly added = computed(() => route.value.show);
  private readonly floor = computed(() => route.value.floor);
  // As the address has them. A new object only when one of them changes.
  readonly layers = computed<Omit<Layers, 'ground' | 'radius'>>(() => ({
    agents: !names(this.hidden.value).includes('agents'),
    paths: !names(this.hidden.value).includes('paths'),
    obstacles: true,
    portals: names(this.added.value).includes('portals'),
    floor: this.floor.value,
  }));
  readonly editor = new Editor(this);
  readonly access: Access;
  readonly placements = new PlacementState(this);
  readonly search = new SearchState(this);
  readonly history = new HistoryState(this);
  private readonly marks = new Map<string, Mark[]>();
  private ends: (() => void)[] = [];
  private placed = false;

  readonly selectedAgent = computed<Row | undefined>(() => {
    void this.model.agentsVersion.value;
    const id = /^agent (\d+)$/.exec(route.value.select)?.[1];
    return id === undefined ? undefined : this.model.agents.rows.get(BigInt(id));
  });

  readonly selectedObstacle = computed(() => {
    void this.model.obstaclesVersion.value;
    const id = /^obstacle (\d+)$/.exec(route.value.select)?.[1];
    return id === undefined ? undefined : this.model.shown.obstacles.get(BigInt(id));
  });

  readonly floorChosen = computed(() => this.model.floorRanges.value[this.layers.value.floor]);

  constructor(readonly name: string) {
    this.feed = new LiveFeed(name, this.model);
    this.walkers = new Walkers(name, this.model);
    this.details = new AgentDetails(name);
    this.access = new Access(name);
  }

  start(): void {
    const { surface } = this;
    this.ends = [
      effect(() => this.both({ kind: 'theme', theme: theme.value })),
      effect(() => this.sendLayers()),
      effect(() => this.place()),
      effect(() => this.showView()),
      effect(() => surface.send({ kind: 'selected', slot: this.selectedAgent.value?.slot ?? -1 })),
      effect(() => this.markSelected()),
      effect(() => this.feed.showTeam(teamOf(this.layerName.value))),
      effect(() => this.feed.showProfile(route.value.profile)),
      effect(() => {
        void this.model.agentsVersion.value;
        const row = this.selectedAgent.value;
        this.details.follow(row?.id, row?.heard ?? 0);
      }),
      effect(() => this.mark('broken', this.model.broken.value)),
      this.forgetWithEpoch(),
      effect(() => {
        if (this.model.feed.value.kind === 'live') void this.access.ask();
      }),
      effect(() => {
        void this.model.meta.value?.revision;
        untracked(() => this.editor.renew());
      }),
      effect(() => this.showFloor()),
      effect(() => this.readOut()),
      this.search.start(),
      this.history.start(),
      this.placements.start(),
    ];
    this.feed.start();
    this.walkers.start();
    this.followLoop();
  }

  // Asks the map what is at the place that is read out, again whenever something may have changed there.
  private readOut(): void {
    const at = this.readAt.value;
    const { model, search, surface } = this;
    void [model.meta.value?.revision, model.obstaclesVersion.value, this.layerName.value, this.floor.value, search.at.value, search.runs.value];
    const place: [number, number, number] | undefined = at && [...at, 12 / this.view.value.scale];
    untracked(() => {
      surface.probe(place);
      search.second.value?.probe(place);
      this.mark('middle', at && this.middleRead.value ? [{ kind: 'hover', point: at }] : []);
    });
  }

  // On a floor of a mesh only the agents are shown that are on it.
  private showFloor(): void {
    const floors = this.model.floorRanges.value;
    const { floor } = this.layers.value;
    const all = floor < 0 || !floors[floor];
    this.model.agents.filter(all ? () => true : ({ height }) => floorAt(floors, height) === floor);
  }

  // Drops what belongs to a world that was deleted, when another one of its name is there.
  private forgetWithEpoch(): () => void {
    let before = this.model.epoch.peek();
    return effect(() => {
      const epoch = this.model.epoch.value;
      if (before && epoch !== before) {
        untracked(() => {
          this.history.forget();
          this.editor.forget();
          this.walkers.forget();
        });
      }
      before = epoch;
    });
  }

  stop(): void {
    for (const end of this.ends) end();
    this.ends = [];
    this.feed.stop();
    this.walkers.stop();
    this.details.follow(undefined, 0);
    this.surface.close();
  }

  // In the past the agents of now are not shown; see past_agents.ts.
  private sendLayers(): void {
    const layer = this.layerName.value;
    const layers = { ...this.layers.value, ground: groundOf(layer), radius: radiusOf(layer) };
    this.surface.send({ kind: 'layers', layers: this.model.shownPast.value ? { ...layers, agents: false, paths: false } : layers });
  }

  // Tells the map, and the second map while two searches are compared.
  private both(message: ToSurface): void {
    this.surface.send(message);
    this.search.second.value?.send(message);
  }

  // Puts marks on the map under a name, in place of those of that name.
  mark(name: string, marks: Mark[]): void {
    if (marks.length === 0 && !this.marks.has(name)) return;
    if (marks.length === 0) this.marks.delete(name);
    else this.marks.set(name, marks);
    this.surface.send({ kind: 'marks', marks: [...this.marks.values()].flat() });
  }

  setView(view: View, byHand = true): void {
    const scale = Math.min(scaleMost, Math.max(scaleLeast, view.scale));
    turn(byHand && route.value.follow ? { view: { ...view, scale }, follow: false } : { view: { ...view, scale } });
  }

  fit(): void {
    const bounds = this.model.bounds.value;
    if (bounds) this.setView(fitted(bounds, this.size.value, insetOf(this.size.value)));
  }

  // The place in the world at a point of the canvas, in CSS pixels.
  at(x: number, y: number): [number, number] {
    return fromPlane(...toWorld(this.view.value, this.size.value, x, y), this.model.isHex);
  }

  // Draws a layer or leaves it out.
  flip(name: 'agents' | 'paths' | 'portals'): void {
    if (name === 'portals') turn({ show: flipped(this.added.value, name) });
    else turn({ hide: flipped(this.hidden.value, name) });
  }

  // Why a tool cannot be used; empty: it can.
  mayNot(tool: Tool): string {
    if (tool === 'select' || tool === 'search') return '';
    if (this.model.shownPast.value) return 'The map shows the past, which cannot be changed. Go back to now, or fork the world';
    return tool === 'agent' || tool === 'goal' ? this.access.noAgents.value : '';
  }

  choose(tool: Tool): void {
    if (!this.mayNot(tool)) this.tool.value = tool;
  }

  // The height of the ground there, for what is sent to the server: on the floor chosen, or else on the highest.
  heightAt(x: number, y: number): number {
    return this.model.heightAt(x, y, this.layers.peek().floor);
  }

  // Zooms about a point of the canvas.
  zoom(factor: number, x: number, y: number): void {
    const view = this.view.value;
    const [px, py] = toWorld(view, this.size.value, x, y);
    const scale = Math.min(scaleMost, Math.max(scaleLeast, view.scale * factor));
    const ratio = view.scale / scale;
    this.setView({ x: px + (view.x - px) * ratio, y: py + (view.y - py) * ratio, scale }, false);
  }

  // Brings a place to the middle, near enough to see it.
  show(x: number, y: number, scaleAtLeast = 8): void {
    const [px, py] = toPlane(x, y, this.model.isHex);
    this.setView({ x: px, y: py, scale: Math.max(this.view.value.scale, scaleAtLeast) });
  }

  showObstacle(id: bigint): boolean {
    const obstacle = this.model.shown.obstacles.get(id);
    const shape = obstacle && shapeOf(obstacle.shape, this.model.unit);
    if (!shape) return false;
    const { x0, y0, x1, y1 } = boundsOf(shape);
    this.show((x0 + x1) / 2, (y0 + y1) / 2);
    this.blink(shape);
    return true;
  }

  blink(shape: Shape): void {
    this.mark('blink', [{ kind: 'blink', shape }]);
    setTimeout(() => this.mark('blink', []), 2600);
  }

  // Returns the name of the agent within a few pixels of a place, or else of the smallest obstacle there.
  pick(x: number, y: number): string {
    const reach = Math.max(0.45, 9 / this.view.value.scale);
    const row = this.layers.value.agents && !this.model.shownPast.value ? this.model.agents.nearest(x, y, reach) : undefined;
    const id = row?.id ?? this.history.agents.nearest(x, y, reach);
    if (id !== undefined) return `agent ${id}`;
    let found = '';
    let least = Infinity;
    for (const obstacle of this.model.shown.obstacles.values()) {
      const shape = shapeOf(obstacle.shape, this.model.unit);
      if (!shape || !holds(shape, x, y)) continue;
      const { x0, y0, x1, y1 } = boundsOf(shape);
      const area = (x1 - x0) * (y1 - y0);
      if (area < least) [least, found] = [area, `obstacle ${obstacle.id}`];
    }
    return found;
  }

  // The first view: the one that the address names, or all of the world.
  private place(): void {
    const bounds = this.model.bounds.value;
    const size = this.size.value;
    if (!bounds || size.width < 2 || this.placed) return;
    this.placed = true;
    if (!route.peek().view) this.view.value = fitted(bounds, size, insetOf(size));
  }

  private showView(): void {
    const asked = route.value.view;
    const size = this.size.value;
    if (asked) this.view.value = this.held(asked);
    else if (this.model.bounds.value && size.width > 1) this.view.value = fitted(this.model.bounds.value, size, insetOf(size));
    const ratio = pixelRatio();
    const { x, y, scale } = this.view.value;
    this.both({ kind: 'size', width: Math.max(1, Math.round(size.width * ratio)), height: Math.max(1, Math.round(size.height * ratio)), ratio });
    this.both({ kind: 'view', view: { x, y, scale: scale * ratio } });
  }

  // A view of an address, held where something of the world, or at most its surroundings, is seen.
  private held({ x, y, scale }: View): View {
    const { x0, y0, x1, y1 } = this.model.bounds.value ?? { x0: -1e6, y0: -1e6, x1: 1e6, y1: 1e6 };
    const within = (value: number, low: number, high: number) => Math.min(high, Math.max(low, value));
    const [wide, high] = [x1 - x0, y1 - y0];
    return { x: within(x, x0 - wide, x1 + wide), y: within(y, y0 - high, y1 + high), scale: within(scale, scaleLeast, scaleMost) };
  }

  private markSelected(): void {
    const obstacle = this.selectedObstacle.value;
    const shape = obstacle && shapeOf(obstacle.shape, this.model.unit);
    this.mark('selected', shape ? [{ kind: 'selected', shape }] : []);
  }

  // While an agent is followed, the camera glides after it.
  private followLoop(): void {
    const step = () => {
      if (this.ends.length === 0) return;
      const row = this.selectedAgent.peek();
      if (route.peek().follow && row && !this.model.shownPast.peek()) {
        const [x, y] = toPlane(...this.model.agents.placeOf(row), this.model.isHex);
        const view = this.view.peek();
        const [dx, dy] = [x - view.x, y - view.y];
        if (Math.hypot(dx, dy) * view.scale > 0.5) this.setView({ x: view.x + dx * 0.08, y: view.y + dy * 0.08, scale: view.scale }, false);
      }
      requestAnimationFrame(step);
    };
    requestAnimationFrame(step);
  }
}

function insetOf({ width }: Size): Inset {
  return innerWidth <= 760 || width < 240 ? { left: 10, top: 84, right: 10, bottom: 52 } : { left: 62, top: 58, right: 14, bottom: 52 };
}

function names(list: string): string[] {
  return list.split(',').filter(Boolean);
}

function flipped(list: string, name: string): string {
  const all = names(list);
  return (all.includes(name) ? all.filter((one) => one !== name) : [...all, name]).sort().join(',');
}

export function pixelRatio(): number {
  return Math.min(2, devicePixelRatio || 1);
}

// The team whose influence and fog a layer shows, such as 'team 3'.
function teamOf(layer: string): number | undefined {
  const team = /^team (\d+)$/.exec(layer)?.[1];
  return team === undefined ? undefined : Math.min(teamMost, Number(team));
}

// The radius whose clearance a layer shows, such as 'clearance 1.5'.
function radiusOf(layer: string): number {
  const radius = Number(/^clearance ([\d.]+)$/.exec(layer)?.[1] ?? 0);
  return Number.isFinite(radius) ? Math.min(radiusMost, radius) : 0;
}

function groundOf(layer: string): Layers['ground'] {
  if (layer === 'costs' || layer === 'obstacles' || layer === 'components') return layer;
  if (layer.startsWith('clearance ')) return 'clearance';
  return teamOf(layer) === undefined ? 'terrain' : 'team';
}

// Strokes on the map. Each makes a draft, which is first tried on the server (TestChanges) and shown; the reader then
// applies it or not. The inverse batch takes back a change that was applied.
import { signal } from '@preact/signals';
import { AgentService, type Agent } from '../../gen/repath/v1/agent_pb';
import { PathService } from '../../gen/repath/v1/path_pb';
import { WorldService } from '../../gen/repath/v1/world_pb';
import type { Location } from '../../gen/repath/v1/common_pb';
import { lineOf, locationOf, placeOf, shapeOf } from '../feed/convert';
import type { Mark } from '../raster/scene';
import { holds, moved, type Shape } from '../raster/shape';
import { route, turn } from '../state/route';
import type { WorldContext } from '../state/world_context';
import { errorOf, RpcError } from '../wire/error';
import { call } from '../wire/rpc';
import { describe, draft, freeId, freshRequestId, obstacleOf, reshaped, type Draft, type Effect } from './draft';
import { Probe } from './probe';
import { corner, stroke } from './strokes';

const undoMost = 100;
const pathsShown = 60; // Most agents of a trial whose path is shown, as it is and as it would be.
const ringsShown = 500;
const renewMs = 1000; // Least time between two trials of a draft of which only the world has changed.
const plainEffect: Effect = { kind: 'blocked', factor: 4 };

export interface Undo {
  title: string;
  back(): Promise<unknown>;
}

export class Editor {
  readonly draft = signal<Draft | undefined>(undefined);
  readonly effect = signal<Effect>(plainEffect);
  readonly undos = signal<Undo[]>([]);
  readonly trouble = signal<RpcError | undefined>(undefined);
  readonly corners = signal<number[]>([]);
  private from: [number, number] | undefined;
  private moving: Shape | undefined;
  private renewTimer = 0;
  private isApplying = false;
  private readonly dry = new Probe();
  private readonly preview = new Probe();

  constructor(private readonly context: WorldContext) {}

  private get model() {
    return this.context.model;
  }

  // Begins a stroke. False if the pointer pans instead.
  down(x: number, y: number, shift: boolean): boolean {
    const begun = this.begin(x, y, shift);
    if (!begun) this.from = undefined;
    return begun;
  }

  private begin(x: number, y: number, shift: boolean): boolean {
    const tool = this.context.tool.value;
    this.from = [x, y];
    this.moving = undefined;
    if (this.context.mayNot(tool)) return false;
    if (tool === 'select') {
      if (this.model.shownPast.value) return false;
      const chosen = this.context.selectedObstacle.value;
      const shape = chosen && shapeOf(chosen.shape, this.model.unit);
      if (!shape || shift || !holds(shape, x, y) || this.context.pick(x, y) !== route.value.select) return false;
      this.moving = shape;
      return true;
    }
    return !shift && tool !== 'goal' && tool !== 'search' && tool !== 'polygon';
  }

  drag(x: number, y: number): void {
    if (!this.from) return;
    const tool = this.context.tool.value;
    if (tool === 'agent') this.previewAgent(this.from, [x, y]);
    else if (this.moving) this.propose(this.moveDraft(x, y));
    else this.propose(this.strokeDraft(tool, this.from, [x, y]));
  }

  up(x: number, y: number, click: boolean): void {
    const from = this.from;
    this.from = undefined;
    if (!from) return;
    const tool = this.context.tool.value;
    if (this.moving) {
      if (click) this.click(x, y);
      this.moving = undefined;
    } else if (tool === 'agent') {
      this.context.mark('preview', []);
      if (!click) void this.placeAgent(from, [x, y]);
    } else if (click) {
      if (tool === 'box' && this.model.isGrid) this.propose(this.clickDraft(x, y));
    }
  }

  hover(x: number, y: number): void {
    const corners = this.corners.value;
    if (this.context.tool.value !== 'polygon' || corners.length === 0) return;
    const line = Float32Array.from([...corners, ...corner(x, y, this.model.isGrid)]);
    this.context.mark('preview', [{ kind: 'selected', line }, { kind: 'start', point: [corners[0]!, corners[1]!] }]);
  }

  click(x: number, y: number, shift = false): void {
    const tool = this.context.tool.value;
    if (this.context.mayNot(tool)) return;
    if (tool === 'polygon') return this.addCorner(x, y);
    if (tool === 'goal') return void this.setGoal(x, y);
    if (tool === 'search') return this.context.search.pick(x, y, shift);
    if (tool !== 'select') return;
    const select = this.context.pick(x, y);
    const tab = select && ['overview', 'history'].includes(route.value.tab) ? 'inspect' : route.value.tab;
    turn({ select, tab, follow: false });
  }

  // A double click ends a polygon.
  finish(_x: number, _y: number): void {
    if (this.context.tool.value === 'polygon') this.closePolygon();
  }

  escape(): void {
    if (this.draft.value) return this.discard();
    if (this.corners.value.length > 0) {
      this.corners.value = [];
      this.context.mark('preview', []);
    } else if (this.context.tool.value !== 'select') {
      this.context.tool.value = 'select';
      this.context.search.adding.value = false;
    } else if (this.context.middleRead.value) {
      this.context.middleRead.value = false;
    } else {
      turn({ select: '', follow: false });
    }
  }

  enter(): void {
    if (this.corners.value.length >= 6) this.closePolygon();
    else if (this.draft.value && !this.draft.value.error) void this.apply();
  }

  // Shows a draft, and asks the server what it would do.
  propose(next: Draft | undefined): void {
    if (!next) return;
    const before = this.draft.value;
    this.draft.value = before?.dry && before.drawn === next.drawn ? { ...next, dry: before.dry } : next;
    this.markDraft();
    void this.dry.ask(async () => {
      const { name } = this.context;
      const answer = await call(WorldService.method.testChanges, { world: name, batch: next.batch, maxAgents: 10_000, maxPaths: pathsShown }).then(
        (dry) => ({ dry, error: undefined }),
        (thrown) => ({ dry: undefined, error: errorOf(thrown) }),
      );
      if (this.draft.value?.batch !== next.batch) return;
      this.draft.value = { ...this.draft.value, ...answer, busy: false };
      this.markDraft();
    });
  }

  // Tries the draft again when the world has changed, at most once a second. A draft for which nothing is left to do is dropped.
  renew(): void {
    const now = this.draft.value;
    // The change may be seen before the answer that it was made.
    if (!now || this.isApplying) return;
    if (now.isMoot?.()) {
      this.discard();
      this.trouble.value = new RpcError('aborted', `“${now.title}” was dropped: the world has changed, and nothing of it is left to do`);
      return;
    }
    if (this.renewTimer || this.from) return;
    this.renewTimer = window.setTimeout(() => {
      this.renewTimer = 0;
      const { value: draft } = this.draft;
      if (!draft || draft.busy) return;
      // Another client may have used the draft's id for an obstacle since.
      const isTaken = draft.drawn !== undefined && this.model.obstacles.has(draft.drawn);
      this.propose(isTaken && draft.shape ? this.drawn(draft.shape) : { ...draft });
    }, renewMs);
  }

  discard(): void {
    this.draft.value = undefined;
    this.effect.value = plainEffect; // The next drawing begins with what is usual.
    this.markDraft();
  }

  // The world is another one of the same name: nothing that was done to the old one can be taken back here.
  forget(): void {
    this.undos.value = [];
    this.corners.value = [];
    this.trouble.value = undefined;
    this.from = undefined;
    this.context.mark('preview', []);
    this.discard();
  }

  setEffect(effect: Effect): void {
    this.effect.value = effect;
    const { draft: now } = this;
    if (now.value?.shape && now.value.drawn !== undefined) this.propose(this.drawn(now.value.shape, now.value.drawn));
  }

  async apply(): Promise<void> {
    const now = this.draft.value;
    if (!now || this.context.access.noWrite.value) return;
    this.draft.value = { ...now, busy: true };
    this.isApplying = true;
    try {
      await this.send(now.batch);
      this.remember({ title: now.title, back: () => this.send(now.inverse) });
      if (now.drawn !== undefined) turn({ select: `obstacle ${now.drawn}` });
      this.discard();
    } catch (thrown) {
      this.draft.value = { ...now, busy: false, error: errorOf(thrown) };
    }
    this.isApplying = false;
  }

  async undo(): Promise<void> {
    const last = this.undos.value.at(-1);
    if (!last) return;
    this.undos.value = this.undos.value.slice(0, -1);
    try {
      await last.back();
      this.trouble.value = undefined;
    } catch (thrown) {
      this.trouble.value = errorOf(thrown);
    }
  }

  // Opens or shuts a door.
  switchSelected(): void {
    const obstacle = this.context.selectedObstacle.value;
    if (!obstacle) return;
    const { id, disabled } = obstacle;
    const shape = shapeOf(obstacle.shape, this.model.unit);
    const of = (enabled: boolean) => ({ switchObstacles: [{ id, enabled }] });
    const made = draft(`${disabled ? 'Shut' : 'Open'} obstacle ${id}`, of(disabled), of(!disabled), shape);
    this.propose({ ...made, isMoot: () => this.model.obstacles.get(id)?.disabled !== disabled });
  }

  async removeSelected(): Promise<void> {
    if (this.model.shownPast.value) return;
    const obstacle = this.context.selectedObstacle.value;
    if (obstacle) {
      const { id } = obstacle;
      const shape = shapeOf(obstacle.shape, this.model.unit);
      const made = draft(`Remove obstacle ${id}`, { removeObstacles: [id] }, { upsertObstacles: [obstacle] }, shape);
      this.propose({ ...made, isMoot: () => !this.model.obstacles.has(id) });
      return;
    }
    const agent = await this.selectedAgent();
    if (!agent) return;
    await this.act(`Remove agent ${agent.id}`, () => call(AgentService.method.removeAgents, { world: this.context.name, agentIds: [agent.id] }), () =>
      call(AgentService.method.upsertAgents, { world: this.context.name, agents: [agent] }),
    );
  }

  private async send(batch: Draft['batch']): Promise<void> {
    await call(WorldService.method.applyChanges, { world: this.context.name, batch, requestId: freshRequestId() });
  }

  private remember(undo: Undo): void {
    this.undos.value = [...this.undos.value, undo].slice(-undoMost);
  }

  // Does something at once; `back` takes it back.
  private async act(title: string, what: () => Promise<unknown>, back: () => Promise<unknown>): Promise<void> {
    try {
      await what();
      this.remember({ title, back });
      this.trouble.value = undefined;
    } catch (thrown) {
      this.trouble.value = errorOf(thrown);
    }
  }

  private addCorner(x: number, y: number): void {
    const at = corner(x, y, this.model.isGrid);
    const corners = this.corners.value;
    const near = 10 / this.context.view.value.scale;
    const closes = corners.length >= 6 && Math.hypot(at[0] - corners[0]!, at[1] - corners[1]!) < Math.max(near, 0.01);
    if (closes) return this.closePolygon();
    if (corners.at(-2) === at[0] && corners.at(-1) === at[1]) return;
    this.corners.value = [...corners, ...at];
    this.hover(x, y);
  }

  private closePolygon(): void {
    const points = this.corners.value;
    this.corners.value = [];
    this.context.mark('preview', []);
    if (points.length >= 6) this.propose(this.drawn({ kind: 'polygon', points }));
  }

  private strokeDraft(tool: string, from: [number, number], to: [number, number]): Draft | undefined {
    const shape = stroke(tool, from, to, this.model.isGrid);
    return shape && this.drawn(shape);
  }

  // A box of one cell; while places for towers are shown, a tower of the size that was chosen.
  private clickDraft(x: number, y: number): Draft {
    const { on, chosen } = this.context.placements;
    const { width, height } = on.value ? chosen.value : { width: 1, height: 1 };
    const [x0, y0] = [Math.floor(x), Math.floor(y)];
    return this.drawn({ kind: 'rect', x0, y0, x1: x0 + width, y1: y0 + height });
  }

  private drawn(shape: Shape, id = freeId(this.model.obstacles.keys())): Draft {
    const effect = this.effect.value;
    const what = effect.kind === 'blocked' ? 'Block' : `Cost × ${effect.factor}`;
    const batch = { upsertObstacles: [obstacleOf(id, shape, this.model.unit, effect, this.context.floorChosen.value)] };
    return draft(`${what}: ${describe(shape, this.model.isGrid)}`, batch, { removeObstacles: [id] }, shape, id);
  }

  private moveDraft(x: number, y: number): Draft | undefined {
    const obstacle = this.context.selectedObstacle.value;
    if (!obstacle || !this.moving || !this.from) return undefined;
    const snap = (value: number) => (this.moving!.kind === 'rect' ? Math.round(value) : value);
    const shape = moved(this.moving, snap(x - this.from[0]), snap(y - this.from[1]));
    const batch = { upsertObstacles: [reshaped(obstacle, shape, this.model.unit)] };
    return draft(`Move obstacle ${obstacle.id}`, batch, { upsertObstacles: [obstacle] }, shape);
  }

  private locationOf(at: [number, number]): Location {
    return locationOf(at, this.model.isGrid, this.context.heightAt(...at));
  }

  private previewAgent(from: [number, number], to: [number, number]): void {
    const ends: Mark[] = [
      { kind: 'start', point: from },
      { kind: 'goal', point: to },
    ];
    this.context.mark('preview', ends);
    void this.preview.ask(async () => {
      const { path } = await call(PathService.method.findPath, { world: this.context.name, from: this.locationOf(from), goals: [this.locationOf(to)] });
      const line = lineOf(path?.positions ?? [], this.model.unit);
      if (this.from === from) this.context.mark('preview', line.length > 2 ? [{ kind: 'new', line }, ...ends] : ends);
    });
  }

  private async placeAgent(from: [number, number], to: [number, number]): Promise<void> {
    const id = freeId(this.model.agents.rows.keys());
    const world = this.context.name;
    const agent = { id, position: this.locationOf(from), goals: [this.locationOf(to)], snapStart: true };
    await this.act(`Place agent ${id}`, () => call(AgentService.method.upsertAgents, { world, agents: [agent] }), () =>
      call(AgentService.method.removeAgents, { world, agentIds: [id] }),
    );
    if (!this.trouble.value) turn({ select: `agent ${id}`, tab: 'inspect' });
  }

  private async setGoal(x: number, y: number): Promise<void> {
    const agent = await this.selectedAgent();
    const world = this.context.name;
    if (!agent) {
      const select = this.context.pick(x, y);
      if (select.startsWith('agent')) turn({ select, tab: 'inspect' });
      return;
    }
    const changed = { ...agent, goals: [this.locationOf([x, y])] };
    await this.act(`New goal of agent ${agent.id}`, () => call(AgentService.method.upsertAgents, { world, agents: [changed] }), () =>
      call(AgentService.method.upsertAgents, { world, agents: [agent] }),
    );
  }

  private markDraft(): void {
    const now = this.draft.value;
    const marks: Mark[] = [];
    if (now?.shape) marks.push({ kind: 'ghost', shape: now.shape });
    const cut = new Set(now?.dry?.cutOffAgents);
    let paths = 0;
    for (const id of (now?.dry?.affectedAgents ?? []).slice(0, ringsShown)) {
      const row = this.model.agents.rows.get(id);
      if (row && !cut.has(id)) marks.push({ kind: 'hover', point: this.model.agents.placeOf(row) });
      if (row?.path && paths++ < pathsShown) marks.push({ kind: 'old', line: row.path });
    }
    for (const { path } of now?.dry?.newPaths ?? []) {
      if (path && path.positions.length > 3) marks.push({ kind: 'new', line: lineOf(path.positions, this.model.unit) });
    }
    for (const id of [...cut].slice(0, ringsShown)) {
      const row = this.model.agents.rows.get(id);
      if (row) marks.push({ kind: 'cut', point: this.model.agents.placeOf(row) });
    }
    this.context.mark('draft', marks);
  }

  // The selected agent as it is now.
  private async selectedAgent(): Promise<Agent | undefined> {
    const id = this.context.selectedAgent.value?.id;
    try {
      return id === undefined ? undefined : (await this.context.details.read(id))?.agent;
    } catch (thrown) {
      this.trouble.value = errorOf(thrown);
      return undefined;
    }
  }

  // The goals of the selected agent, for the map.
  goalsOf(): [number, number][] {
    const goals = this.context.details.state.value?.agent?.goals ?? [];
    return goals.map((goal) => placeOf(goal, this.model.unit)).filter((place): place is [number, number] => place !== undefined);
  }
}

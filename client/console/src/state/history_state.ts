// The history that is scrubbed: the batches that the server still keeps, and the revision that the map shows.
import { computed, effect, signal, untracked } from '@preact/signals';
import { WorldService, type Change } from '../../gen/repath/v1/world_pb';
import { shapeOf } from '../feed/convert';
import { changesGround } from '../feed/ground';
import type { Mark } from '../raster/scene';
import { errorOf, type RpcError } from '../wire/error';
import { call } from '../wire/rpc';
import { PastAgents } from './past_agents';
import { readBase, type Base } from './past_base';
import { doubtfulAt, standingAt, standingFrom } from './replay';
import { route, turn } from './route';
import type { WorldContext } from './world_context';

const changesMost = 20_000;
const marksMost = 300;
// The slider passes revisions faster than their ground can be read; it is read once it rests.
const groundAfterMs = 150;

export class HistoryState {
  readonly changes = signal<Change[]>([]); // Ascending.
  readonly past = signal<bigint | undefined>(undefined); // The revision shown; unset: now.
  readonly playing = signal(false);
  readonly error = signal<RpcError | undefined>(undefined);
  readonly isReading = signal(false); // The ground of the revision shown is awaited.
  readonly groundError = signal<RpcError | undefined>(undefined); // Why the ground is not that of the revision shown.
  // From this revision on the server can make the world again, and what is shown is exact. Unset: it was not asked yet.
  readonly exactFrom = signal<bigint | undefined>(undefined);
  readonly baseError = signal<RpcError | undefined>(undefined); // Why not at older ones.
  readonly agents: PastAgents;
  private base: Base | undefined;
  private baseFor: bigint | undefined; // The oldest revision when it was asked.
  private frame = 0;
  private loading: Promise<void> | undefined;
  private groundTimer = 0;

  constructor(private readonly context: WorldContext) {
    this.agents = new PastAgents(context);
  }

  // Shows the revision that the address names, also once a connection that was gone is back.
  start(): () => void {
    const asked = computed(() => route.value.past);
    const isLive = computed(() => this.context.model.feed.value.kind === 'live');
    let wasLive = false;
    const end = effect(() => {
      const [past, live] = [asked.value, isLive.value];
      const isFresh = live && !wasLive;
      wasLive = live;
      if (live) untracked(() => void this.follow(past, isFresh));
    });
    const endAgents = effect(() => {
      void [this.past.value, this.context.layers.value, this.context.selectedAgent.value?.id];
      if (this.past.value !== undefined) void this.context.model.agentsTurn.value;
      untracked(() => void this.showAgents());
    });
    return () => {
      end();
      endAgents();
      this.pause();
      clearTimeout(this.groundTimer);
    };
  }

  private async showAgents(): Promise<void> {
    const { model, layers, selectedAgent } = this.context;
    if (this.past.value === undefined) {
      this.agents.forget();
      return this.context.mark('past agents', []);
    }
    const chosen = selectedAgent.value?.id;
    await this.agents.load([...model.agents.rows.keys()].sort((a, b) => (a < b ? -1 : 1)), chosen);
    const { value: at } = this.past;
    const { agents, paths } = layers.value;
    const marks = at === undefined ? [] : this.agents.marksAt(at, model.unit, chosen, paths);
    this.context.mark('past agents', agents ? marks : []);
  }

  private async follow(past: string, isFresh: boolean): Promise<void> {
    // The address may already be that of another world, whose page takes the place of this one.
    if (route.peek().world !== this.context.name) return;
    if (past === String(this.past.value ?? '') && !isFresh) return;
    if (past === '') return this.past.value === undefined ? undefined : this.live();
    if (this.changes.value.length === 0) await this.load();
    if (route.peek().past === past && this.changes.value.length > 0) this.show(BigInt(past));
  }

  // Reads the batches that are not yet known.
  load(): Promise<void> {
    return (this.loading ??= this.read().finally(() => (this.loading = undefined)));
  }

  private async read(): Promise<void> {
    const world = this.context.model.meta.value;
    if (!world) return;
    try {
      const { oldestRevision, revision } = world;
      const known = this.changes.value.filter((change) => change.revision >= oldestRevision);
      let start = known.at(-1) ? known.at(-1)!.revision + 1n : oldestRevision;
      if (start + BigInt(changesMost) <= revision) [start, known.length] = [revision - BigInt(changesMost) + 1n, 0];
      for (;;) {
        const page = await call(WorldService.method.readChanges, { world: this.context.name, startRevision: start, pageSize: 1000 });
        known.push(...page.changes);
        if (page.changes.length === 0 || known.at(-1)!.revision >= page.revision) break;
        start = known.at(-1)!.revision + 1n;
      }
      this.changes.value = known;
      this.context.model.learnDoors(known);
      this.error.value = undefined;
    } catch (thrown) {
      this.error.value = errorOf(thrown);
    }
  }

  // The world is another one of the same name.
  forget(): void {
    this.changes.value = [];
    this.error.value = undefined;
    this.baseError.value = undefined;
    this.exactFrom.value = undefined;
    [this.base, this.baseFor] = [undefined, undefined];
    if (this.past.value !== undefined) this.live();
  }

  get first(): bigint {
    return (this.changes.value[0]?.revision ?? 1n) - 1n;
  }

  get last(): bigint {
    return this.changes.value.at(-1)?.revision ?? 1n;
  }

  // Makes a world of its own of the revision shown. Returns its name.
  async fork(): Promise<string> {
    const revision = this.past.value ?? this.context.model.meta.value!.revision;
    const name = `${this.context.name.slice(0, 40)}-at-${revision}`;
    await call(WorldService.method.forkWorld, { source: this.context.name, name, revision }, { timeoutMs: 60_000 });
    return name;
  }

  // Shows the world as it was at a revision.
  show(revision: bigint): void {
    const at = revision < this.first ? this.first : revision > this.last ? this.last : revision;
    this.past.value = at;
    turn({ past: String(at) });
    this.showStanding(at);
    void this.readBase();
    this.mark(this.changes.value.find((change) => change.revision === at));
    this.showGround(at);
  }

  // Obstacles that stood at the revision shown and of which nothing is known; 0: the map is right.
  get doubtful(): number {
    const at = this.past.value;
    if (at === undefined || (this.base && at >= this.base.revision)) return 0;
    return doubtfulAt(this.changes.value, at);
  }

  // Whether the server can make a world of the revision shown.
  get canFork(): boolean {
    const { value: from } = this.exactFrom;
    return this.past.value === undefined || from === undefined || this.past.value >= from;
  }

  private showStanding(at: bigint): void {
    const { model } = this.context;
    const { base } = this;
    const changes = this.changes.value;
    const exact = base && at >= base.revision;
    model.showPast(exact ? standingFrom(base, changes, model.standing, at) : standingAt(changes, model.standing, at));
  }

  // Asks once what stood at the oldest revision, and again when that has gone.
  private async readBase(): Promise<void> {
    const first = this.first;
    if (this.baseFor === first || (this.base && this.base.revision >= first)) return;
    this.baseFor = first;
    const { base, error } = await readBase(this.context.name, first, this.last);
    if (this.baseFor !== first) return;
    this.base = base;
    this.baseError.value = error;
    this.exactFrom.value = base?.revision ?? this.last;
    if (this.past.value !== undefined) this.showStanding(this.past.value);
  }

  private showGround(at: bigint | undefined): void {
    clearTimeout(this.groundTimer);
    const kind = this.context.model.meta.value?.kind ?? 'grid';
    const differs = at !== undefined && this.changes.value.some(({ revision, batch }) => revision > at && changesGround(kind, batch));
    const read = async () => {
      this.isReading.value = true;
      try {
        await this.context.feed.showPast(differs ? at : undefined);
        this.groundError.value = undefined;
      } catch (thrown) {
        this.groundError.value = errorOf(thrown);
      }
      this.isReading.value = false;
    };
    this.groundTimer = window.setTimeout(() => void read(), at === undefined ? 0 : groundAfterMs);
  }

  // Back to the present.
  live(): void {
    this.pause();
    this.past.value = undefined;
    turn({ past: '' });
    this.context.model.showPast(undefined);
    this.context.mark('past', []);
    this.showGround(undefined);
  }

  step(by: number): void {
    this.pause();
    this.show((this.past.value ?? this.last) + BigInt(by));
  }

  play(): void {
    if (this.playing.value) return this.pause();
    this.playing.value = true;
    if ((this.past.value ?? this.last) >= this.last) this.show(this.first);
    let [before, part] = [performance.now(), 0];
    const next = (now: number) => {
      const at = this.past.value ?? this.first;
      if (at >= this.last) return this.pause();
      part += (Math.max(0, now - before) / 1000) * route.peek().pace;
      before = now;
      const revisions = Math.floor(part);
      part -= revisions;
      if (revisions > 0) this.show(at + BigInt(revisions));
      this.frame = requestAnimationFrame(next);
    };
    this.frame = requestAnimationFrame(next);
  }

  pause(): void {
    cancelAnimationFrame(this.frame);
    this.playing.value = false;
  }

  // Marks what the batch touched.
  private mark(change: Change | undefined): void {
    const { batch } = change ?? {};
    const { unit } = this.context.model;
    const marks: Mark[] = [];
    const add = (shape: ReturnType<typeof shapeOf>) => shape && marks.length < marksMost && marks.push({ kind: 'ghost', shape });
    for (const obstacle of batch?.upsertObstacles ?? []) add(shapeOf(obstacle.shape, unit));
    for (const edit of batch?.terrainEdits ?? []) if (edit.cells) add(shapeOf({ case: 'cells', value: edit.cells }, unit));
    const named = [...(batch?.switchObstacles.map(({ id }) => id) ?? []), ...(batch?.removeObstacles ?? [])];
    for (const id of named) {
      const before = change && standingAt(this.changes.value, this.context.model.standing, change.revision - 1n).obstacles.get(id);
      if (before) add(shapeOf(before.shape, unit));
    }
    this.context.mark('past', marks);
  }
}

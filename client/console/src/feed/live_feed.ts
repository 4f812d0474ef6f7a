// The feed from the server: the world is read in pages, then watched; verdicts and positions come as streams.
//
// The order matters: the world's revision is read first, the ground after it, and the watch begins behind that revision.
// So a batch that came between is applied twice at most, which changes nothing.
import { AgentService } from '../../gen/repath/v1/agent_pb';
import { DebugService, type GetGroundResponse } from '../../gen/repath/v1/debug_pb';
import type { GetGraphResponse } from '../../gen/repath/v1/read_back_pb';
import { WorldService, type Change, type World } from '../../gen/repath/v1/world_pb';
import { errorOf, RpcError } from '../wire/error';
import { call, watch } from '../wire/rpc';
import type { Feed, FeedSink } from './feed';
import { viewOf } from './view';
import { changesGround, graphOf, meshOf, overlayOf, squareOf } from './ground';

const figuresEveryMs = 1000;
const retryFirstMs = 400;
const retryMostMs = 4000;
// WatchView sends at least one message a second.
const silenceMostMs = 4000;

// Each reading belongs to a round, and to a past revision or the present.
interface Reading {
  round: number;
  past: bigint | undefined;
}

export class LiveFeed implements Feed {
  private stopped = true;
  private round = 0; // Grows at each (re)start; what an older round still brings is dropped.
  private closers: (() => void)[] = [];
  private retryMs = retryFirstMs;
  private timers = new Set<number>();
  private world: World | undefined;
  private terrainRevision = 0n;
  private groundTimer = 0;
  private team: number | undefined;
  private profile = '';
  private heardMs = 0; // When WatchView sent something last.
  private isSlow = false;
  private past: bigint | undefined; // The revision whose ground is shown; unset: now.

  constructor(
    private readonly name: string,
    private readonly sink: FeedSink,
  ) {}

  start(): void {
    this.stopped = false;
    void this.load();
  }

  stop(): void {
    this.stopped = true;
    ++this.round;
    this.closeAll();
  }

  showTeam(team: number | undefined): void {
    if (team === this.team) return;
    this.team = team;
    if (this.world?.kind === 'grid' && !this.stopped) void this.readTeam(this.round);
  }

  showProfile(profile: string): void {
    if (profile === this.profile) return;
    this.profile = profile;
    if (this.world?.kind === 'navmesh' && !this.stopped) void this.renewGround(this.round);
  }

  async showPast(revision: bigint | undefined): Promise<void> {
    if (revision === this.past) return;
    const before = this.past;
    this.past = revision;
    try {
      if (this.world && !this.stopped) await this.readGround(this.round);
    } catch (thrown) {
      if (this.past === revision) this.past = before;
      throw thrown;
    }
  }

  private closeAll(): void {
    for (const close of this.closers) close();
    this.closers = [];
    for (const timer of this.timers) clearTimeout(timer);
    this.timers.clear();
    this.groundTimer = 0;
  }

  private later(ms: number, what: () => void): number {
    const timer = window.setTimeout(() => {
      this.timers.delete(timer);
      what();
    }, ms);
    this.timers.add(timer);
    return timer;
  }

  private fail(round: number, thrown: unknown): void {
    if (this.stopped || round !== this.round) return;
    ++this.round;
    this.closeAll();
    const error = errorOf(thrown);
    // OUT_OF_RANGE: this reader fell behind the history. It reads everything again, as after a broken connection.
    const passing = error.passing || ['out_of_range', 'aborted', 'failed_precondition', 'resource_exhausted', 'unknown'].includes(error.code);
    this.sink.onStatus(passing ? { kind: 'lost', error } : { kind: 'refused', error });
    this.later(passing ? this.retryMs : retryMostMs, () => void this.load());
    this.retryMs = Math.min(retryMostMs, this.retryMs * 2);
  }

  private async load(): Promise<void> {
    const round = ++this.round;
    this.past = undefined;
    const current = () => !this.stopped && round === this.round;
    const silence = this.later(silenceMostMs, () => this.setSlow(true));
    try {
      const world = await call(WorldService.method.getWorld, { world: this.name });
      if (!current()) return;
      this.world = world;
      this.sink.onWorld(world, true);
      await this.readGround(round);
      await this.readObstacles(round);
      if (!current()) return;
      this.watchWorld(round, world);
      this.watchView(round);
      this.watchPaths(round);
      void this.figures(round);
      this.heardMs = performance.now();
      clearTimeout(silence);
      this.setSlow(false);
      this.watchSilence();
      this.retryMs = retryFirstMs;
    } catch (thrown) {
      this.fail(round, thrown);
    }
  }

  private isWanted({ round, past }: Reading): boolean {
    return round === this.round && past === this.past;
  }

  private async readGround(round: number): Promise<void> {
    const { kind, revision } = this.world!;
    const reading = { round, past: this.past };
    const asked = { world: this.name, atRevision: this.past ?? 0n };
    if (kind === 'grid') {
      this.terrainRevision = revision;
      await this.readTerrain(reading, 0n);
      if (this.team !== undefined) await this.readTeam(round);
    } else if (kind === 'graph') {
      const pages: GetGraphResponse[] = [];
      for (let pageToken = ''; this.isWanted(reading); pageToken = pages.at(-1)!.nextPageToken) {
        pages.push(await call(WorldService.method.getGraph, { ...asked, pageToken, pageSize: 20_000 }));
        if (!pages.at(-1)!.nextPageToken) break;
      }
      const { graph, ids, heights } = graphOf(pages);
      if (this.isWanted(reading)) this.sink.onGraph(graph, ids, heights);
    } else {
      await this.readMesh(reading);
    }
  }

  // The ground of the profile, or, if the server refuses that, of "default".
  private async readMesh(reading: Reading): Promise<void> {
    const { profile } = this;
    const isWanted = () => this.isWanted(reading) && profile === this.profile;
    const read = async (walker: { profile: string }) => {
      const pages: GetGroundResponse[] = [];
      const asked = { world: this.name, atRevision: reading.past ?? 0n, walker, maxCells: 20_000 };
      for (let firstCell: number | undefined = 0; firstCell !== undefined && isWanted(); firstCell = pages.at(-1)!.nextCell) {
        pages.push(await call(DebugService.method.getGround, { ...asked, firstCell }));
      }
      if (isWanted()) this.sink.onMesh(meshOf(pages));
    };
    let refused: RpcError | undefined;
    try {
      await read({ profile });
    } catch (thrown) {
      refused = errorOf(thrown);
      if (refused.passing || !profile) throw thrown;
      await read({ profile: '' });
    }
    if (isWanted()) this.sink.onTeamTrouble(refused);
  }

  private async readTerrain(reading: Reading, changedSinceRevision: bigint): Promise<void> {
    const asked = { world: this.name, atRevision: reading.past ?? 0n, changedSinceRevision, pageSize: 1024 };
    for (let pageToken = ''; this.isWanted(reading); ) {
      const page = await call(WorldService.method.getTerrain, { ...asked, pageToken });
      if (!this.isWanted(reading)) return;
      this.sink.onSquares(page.tiles.map(squareOf));
      pageToken = page.nextPageToken;
      if (!pageToken) return;
    }
  }

  private async readTeam(round: number): Promise<void> {
    const { team } = this;
    const reading = { round, past: this.past };
    if (team === undefined) {
      this.sink.onTeamTrouble(undefined);
      return this.sink.onOverlays([], true);
    }
    const isWanted = () => this.isWanted(reading) && team === this.team;
    try {
      let reset = true;
      for (let pageToken = ''; isWanted(); reset = false) {
        const page = await call(WorldService.method.getTerrain, { world: this.name, atRevision: reading.past ?? 0n, team, pageToken, pageSize: 256 });
        if (!isWanted()) return;
        this.sink.onOverlays(page.tiles.map(overlayOf), reset);
        this.sink.onTeamTrouble(undefined);
        pageToken = page.nextPageToken;
        if (!pageToken) return;
      }
    } catch (thrown) {
      const error = errorOf(thrown);
      if (error.passing) this.fail(round, error);
      else if (isWanted()) this.sink.onTeamTrouble(error);
    }
  }

  private async readObstacles(round: number): Promise<void> {
    if (this.world!.kind === 'graph') return;
    let reset = true;
    for (let pageToken = ''; round === this.round; reset = false) {
      const page = await call(WorldService.method.listObstacles, { world: this.name, pageToken, pageSize: 5000 });
      if (round !== this.round) return;
      this.sink.onObstacles(page.obstacles, page.bodies, reset);
      pageToken = page.nextPageToken;
      if (!pageToken) return;
    }
  }

  private watchWorld(round: number, world: World): void {
    const close = watch(
      WorldService.method.watchWorld,
      { world: this.name, startRevision: world.revision + 1n, epoch: world.epoch },
      {
        message: ({ changes }) => {
          if (changes.length > 0 && round === this.round) this.apply(round, changes);
        },
        end: (error) => this.fail(round, error ?? new RpcError('unavailable', 'the server ended the stream')),
      },
    );
    this.closers.push(close);
  }

  private watchPaths(round: number): void {
    const close = watch(
      AgentService.method.watchPaths,
      { world: this.name },
      {
        message: (batch) => {
          if (round === this.round) this.sink.onVerdicts(batch);
        },
        end: (error) => this.fail(round, error ?? new RpcError('unavailable', 'the server ended the stream')),
      },
    );
    this.closers.push(close);
  }

  private apply(round: number, changes: Change[]): void {
    let ground = false;
    for (const { batch } of changes) ground ||= changesGround(this.world!.kind, batch);
    this.sink.onChanges(changes);
    if (ground && !this.groundTimer && this.past === undefined) {
      this.groundTimer = this.later(this.world!.kind === 'grid' ? 30 : 250, () => void this.renewGround(round));
    }
  }

  private async renewGround(round: number): Promise<void> {
    this.groundTimer = 0;
    if (this.past !== undefined && this.world!.kind === 'grid') return;
    try {
      if (this.world!.kind !== 'grid') return await this.readGround(round);
      const since = this.terrainRevision;
      const now = await call(WorldService.method.getWorld, { world: this.name });
      await this.readTerrain({ round, past: undefined }, since);
      if (this.team !== undefined) await this.readTeam(round);
      this.terrainRevision = now.revision;
    } catch (thrown) {
      this.fail(round, thrown);
    }
  }

  private watchView(round: number): void {
    const depth = this.world!.kind === 'grid' ? 2 : 3;
    const close = watch(
      DebugService.method.watchView,
      { world: this.name },
      {
        message: (picture) => {
          if (round !== this.round) return;
          this.heardMs = performance.now();
          if (this.isSlow) this.setSlow(false);
          this.sink.onView(viewOf(picture, depth));
        },
        end: (error) => this.fail(round, error ?? new RpcError('unavailable', 'the server ended the stream')),
      },
    );
    this.closers.push(close);
  }

  private setSlow(isSlow: boolean): void {
    this.isSlow = isSlow;
    this.sink.onStatus({ kind: isSlow ? 'slow' : 'live' });
  }

  private watchSilence(): void {
    if (!this.isSlow && performance.now() - this.heardMs > silenceMostMs) this.setSlow(true);
    this.later(500, () => this.watchSilence());
  }

  private async figures(round: number): Promise<void> {
    try {
      const world = await call(WorldService.method.getWorld, { world: this.name });
      const stats = await call(DebugService.method.getStats, { world: this.name });
      if (round !== this.round) return;
      this.sink.onWorld(world, false);
      this.sink.onStats(stats);
      this.later(figuresEveryMs, () => void this.figures(round));
    } catch (thrown) {
      this.fail(round, thrown);
    }
  }
}

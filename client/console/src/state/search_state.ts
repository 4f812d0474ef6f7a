// The search that is watched: its question, one or two ways to search, and the film of each.
import { effect, signal, untracked } from '@preact/signals';
import type { MessageInitShape } from '@bufbuild/protobuf';
import { DebugService, type ExplainPathRequestSchema, type ExplainPathResponse } from '../../gen/repath/v1/debug_pb';
import { Algorithm, Heuristic } from '../../gen/repath/v1/query_pb';
import { locationOf, positionOf } from '../feed/convert';
import type { Film } from '../raster/film_pixels';
import type { Mark } from '../raster/scene';
import { errorOf, type RpcError } from '../wire/error';
import { call } from '../wire/rpc';
import { filmOf } from './film';
import { route, turn } from './route';
import { Surface } from './surface';
import type { WorldContext } from './world_context';

export interface Way {
  algorithm: Algorithm;
  heuristic: Heuristic;
  weight: number; // 0: the default.
  turnPenalty: number;
}

export interface Run {
  answer: ExplainPathResponse | undefined;
  film: Film | undefined;
  error: RpcError | undefined;
  ms: number; // Time of the call, there and back.
}

export interface Question {
  from: [number, number];
  to: [number, number];
  heights: [number, number]; // Of the two, world units; 0 on grids.
}

export const plain: Way = { algorithm: Algorithm.UNSPECIFIED, heuristic: Heuristic.UNSPECIFIED, weight: 0, turnPenalty: 0 };
// Searches that take a heuristic; a weight makes sense for A* alone.
export const guided = new Set([Algorithm.UNSPECIFIED, Algorithm.ASTAR, Algorithm.LPA, Algorithm.FRINGE, Algorithm.IDA_STAR, Algorithm.SMA_STAR]);
export const weighted = new Set([Algorithm.UNSPECIFIED, Algorithm.ASTAR]);
const none: Run = { answer: undefined, film: undefined, error: undefined, ms: 0 };

function print(question: Question | undefined, ways: Way[]): string {
  if (!question) return '';
  const place = (at: [number, number], height: number) => [...at, ...(height ? [height] : [])].map((value) => +value.toFixed(2)).join(',');
  const of = (way: Way) => [way.algorithm, way.heuristic, way.weight, way.turnPenalty].join(',');
  return [place(question.from, question.heights[0]), place(question.to, question.heights[1]), ...ways.map(of)].join(':');
}

function parse(text: string): { question: Question; ways: Way[] } | undefined {
  const parts = text.split(':').map((part) => part.split(',').map(Number));
  const [from, to, ...ways] = parts;
  const isPlace = (part: number[] | undefined) => part?.length === 2 || part?.length === 3;
  if (!from || !to || !isPlace(from) || !isPlace(to) || parts.flat().some((value) => !Number.isFinite(value))) return undefined;
  return {
    question: { from: [from[0]!, from[1]!], to: [to[0]!, to[1]!], heights: [from[2] ?? 0, to[2] ?? 0] },
    ways: ways.slice(0, 2).map(([algorithm, heuristic, weight, turnPenalty]) => ({
      algorithm: algorithm ?? 0,
      heuristic: heuristic ?? 0,
      weight: weight ?? 0,
      turnPenalty: turnPenalty ?? 0,
    })),
  };
}

export class SearchState {
  readonly question = signal<Question | undefined>(undefined);
  readonly half = signal<[number, number] | undefined>(undefined); // The start, while the goal is not yet chosen.
  readonly ways = signal<Way[]>([{ ...plain, algorithm: Algorithm.ASTAR }]);
  readonly runs = signal<Run[]>([none, none]);
  readonly at = signal(0);
  readonly playing = signal(false);
  readonly speed = signal(0); // Expansions a second; 0: as many as make the film 6 seconds long.
  readonly busy = signal(false);
  // The second map, while two searches are compared.
  readonly second = signal<Surface | undefined>(undefined);
  private halfHeight = 0;
  private written = ''; // The search in the address, as this page knows it.
  private round = 0;
  private last = 0;

  constructor(private readonly context: WorldContext) {}

  start(): () => void {
    let first = true;
    const ends = [
      effect(() => {
        const { search } = route.value;
        if (search !== this.written) untracked(() => this.adopt(search));
      }),
      effect(() => {
        const live = this.context.model.feed.value.kind === 'live';
        if (live && first && this.question.peek()) {
          first = false;
          void this.run();
        }
      }),
      effect(() => this.showMarks()),
      effect(() => {
        const at = this.at.value;
        this.context.surface.send({ kind: 'filmAt', at });
        this.second.value?.send({ kind: 'filmAt', at });
      }),
    ];
    let going = true;
    const frame = (now: number) => {
      if (!going) return;
      if (this.playing.value) this.advance(now);
      this.last = now;
      requestAnimationFrame(frame);
    };
    requestAnimationFrame(frame);
    return () => {
      going = false;
      ends.forEach((end) => end());
    };
  }

  // Takes the search that another address names.
  private adopt(search: string): void {
    this.written = search;
    const asked = parse(search);
    this.half.value = undefined;
    this.question.value = asked?.question;
    if (asked && asked.ways.length > 0) this.ways.value = asked.ways;
    if (asked && this.context.model.feed.value.kind === 'live') void this.run();
    else this.clearFilms();
  }

  // Steps of the longest film.
  get length(): number {
    return Math.max(0, ...this.runs.value.map(({ film }) => film?.order.length ?? 0));
  }

  get stepsPerSecond(): number {
    return this.speed.value || Math.max(8, this.length / 6);
  }

  // Takes a place: the start, then the goal.
  pick(x: number, y: number): void {
    const at: [number, number] = this.context.model.isGrid ? [Math.floor(x) + 0.5, Math.floor(y) + 0.5] : [x, y];
    if (!this.half.value) {
      this.clearFilms();
      this.half.value = at;
      this.halfHeight = this.context.heightAt(...at);
      return;
    }
    const { isGrid } = this.context.model;
    const heights: [number, number] = isGrid ? [0, 0] : [this.halfHeight, this.context.heightAt(...at)];
    this.question.value = { from: this.half.value, to: at, heights };
    this.half.value = undefined;
    turn({ tab: 'search' });
    void this.run();
  }

  setWay(index: number, change: Partial<Way>): void {
    this.ways.value = this.ways.value.map((way, i) => {
      if (i !== index) return way;
      const next = { ...way, ...change };
      if (!guided.has(next.algorithm)) next.heuristic = Heuristic.UNSPECIFIED;
      if (!weighted.has(next.algorithm)) [next.weight, next.turnPenalty] = [0, 0];
      return next;
    });
    if (this.question.value) void this.run();
  }

  // Compares with a second search beside the first, or ends that.
  compare(on: boolean): void {
    this.ways.value = on ? [this.ways.value[0]!, { ...plain, algorithm: Algorithm.DIJKSTRA }] : this.ways.value.slice(0, 1);
    this.prepareSecond();
    if (this.question.value) void this.run();
  }

  clear(): void {
    this.question.value = undefined;
    this.half.value = undefined;
    this.ways.value = this.ways.value.slice(0, 1);
    this.prepareSecond();
    this.clearFilms();
    this.written = '';
    turn({ search: '' });
  }

  requestOf(way: Way): MessageInitShape<typeof ExplainPathRequestSchema> {
    const { isGrid, unit } = this.context.model;
    const place = (at: [number, number], height: number) => (isGrid ? locationOf(at, true) : positionOf(at, unit, height));
    const { from, to, heights } = this.question.value!;
    return { request: { world: this.context.name, from: place(from, heights[0]), goals: [place(to, heights[1])], options: { ...way, maxWaypoints: 100_000 } } };
  }

  async run(): Promise<void> {
    const question = this.question.value;
    if (!question) return;
    const round = ++this.round;
    this.busy.value = true;
    this.prepareSecond();
    const ways = this.ways.value;
    this.written = print(question, ways);
    turn({ search: this.written });
    const runs: Run[] = [];
    // One after the other, so that they do not slow each other down.
    for (const way of ways) runs.push(await this.ask(way, question));
    if (round !== this.round) return;
    this.runs.value = runs;
    this.busy.value = false;
    this.at.value = 0;
    this.playing.value = runs.some(({ film }) => film);
    this.context.surface.send({ kind: 'film', film: runs[0]?.film, at: 0 });
    this.second.value?.send({ kind: 'film', film: runs[1]?.film, at: 0 });
  }

  toggle(): void {
    if (this.length === 0) return;
    if (!this.playing.value && this.at.value >= this.length) this.at.value = 0;
    this.playing.value = !this.playing.value;
  }

  step(by: number): void {
    this.playing.value = false;
    this.seek(this.at.value + by);
  }

  seek(at: number): void {
    this.at.value = Math.max(0, Math.min(this.length, Math.round(at)));
  }

  private async ask(way: Way, { from, to }: Question): Promise<Run> {
    const began = performance.now();
    const { unit, isGrid } = this.context.model;
    try {
      const answer = await call(DebugService.method.explainPath, this.requestOf(way), { timeoutMs: 30_000 });
      return { answer, film: filmOf(answer, unit, isGrid, from, [to]), error: undefined, ms: performance.now() - began };
    } catch (thrown) {
      return { ...none, error: errorOf(thrown) };
    }
  }

  private part = 0;
  private advance(now: number): void {
    const steps = this.part + ((now - this.last) / 1000) * this.stepsPerSecond;
    this.part = steps - Math.floor(steps);
    if (steps < 1) return;
    this.seek(this.at.value + Math.floor(steps));
    if (this.at.value >= this.length) this.playing.value = false;
  }

  private prepareSecond(): void {
    const wanted = this.ways.value.length > 1;
    if (wanted && !this.second.value) this.second.value = new Surface(this.context.surface);
    if (!wanted && this.second.value) this.second.value = undefined;
  }

  private clearFilms(): void {
    ++this.round;
    this.playing.value = false;
    this.busy.value = false;
    this.runs.value = [none, none];
    this.context.surface.send({ kind: 'film', film: undefined, at: 0 });
    this.second.value?.send({ kind: 'film', film: undefined, at: 0 });
  }

  // The ends of the question, until a film shows them.
  private showMarks(): void {
    const marks: Mark[] = [];
    const half = this.half.value;
    const question = this.question.value;
    if (half) marks.push({ kind: 'start', point: half });
    else if (question && !this.runs.value[0]?.film) marks.push({ kind: 'start', point: question.from }, { kind: 'goal', point: question.to });
    this.context.mark('search', marks);
  }
}

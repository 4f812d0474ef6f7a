// The search that is watched: its question, one or two ways to search, and the film of each.
import { batch, computed, effect, signal, untracked } from '@preact/signals';
import type { MessageInitShape } from '@bufbuild/protobuf';
import { DebugService, type ExplainPathRequestSchema, type ExplainPathResponse } from '../../gen/repath/v1/debug_pb';
import { Algorithm } from '../../gen/repath/v1/query_pb';
import { locationOf, positionOf } from '../feed/convert';
import type { Film } from '../raster/film_pixels';
import type { Mark } from '../raster/scene';
import { errorOf, type RpcError } from '../wire/error';
import { call } from '../wire/rpc';
import { filmOf } from './film';
import { consistent, goalsMost, parse, plain, plainQuestion, print, type Place, type Question, type Way } from './question';
import { route, turn } from './route';
import { Surface } from './surface';
import type { WorldContext } from './world_context';

export interface Run {
  answer: ExplainPathResponse | undefined;
  film: Film | undefined;
  error: RpcError | undefined;
  ms: number; // Time of the call, there and back.
}

const none: Run = { answer: undefined, film: undefined, error: undefined, ms: 0 };

function pointOf([x, y]: Place): [number, number] {
  return [x, y];
}

export class SearchState {
  readonly question = signal<Question | undefined>(undefined);
  readonly half = signal<Place | undefined>(undefined); // The start, while the goal is not yet chosen.
  readonly adding = signal(false); // The next click adds a goal.
  readonly ways = signal<Way[]>([{ ...plain, algorithm: Algorithm.ASTAR }]);
  readonly runs = signal<Run[]>([none, none]);
  readonly at = signal(0);
  readonly playing = signal(false);
  readonly speed = computed(() => route.value.speed); // Expansions a second; 0: as many as make the film 6 seconds long.
  readonly busy = signal(false);
  // The second map, while two searches are compared.
  readonly second = signal<Surface | undefined>(undefined);
  private written = ''; // The search in the address, as this page knows it.
  private round = 0;
  private last = 0;
  private askedAt = ''; // The past revision that was asked last; empty: the present.

  constructor(private readonly context: WorldContext) {}

  start(): () => void {
    let first = true;
    const ends = [
      effect(() => {
        const { search, world } = route.value;
        if (search !== this.written && world === this.context.name) untracked(() => this.adopt(search));
      }),
      effect(() => {
        const live = this.context.model.feed.value.kind === 'live';
        if (live && first && this.question.peek()) {
          first = false;
          void this.run(route.peek().step);
        }
      }),
      effect(() => this.showMarks()),
      this.keepStep(),
      this.followPast(),
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

  // The step that is shown stands in the address once the film rests, and a step in the address is shown.
  private keepStep(): () => void {
    const asked = computed(() => route.value.step);
    const ends = [
      effect(() => {
        const step = asked.value;
        untracked(() => step >= 0 && !this.playing.value && this.length > 0 && this.seek(step));
      }),
      effect(() => {
        const at = this.at.value;
        if (!this.playing.value && this.length > 0 && at !== asked.peek()) turn({ step: at });
      }),
    ];
    return () => ends.forEach((end) => end());
  }

  // Where the map shows the past, the past is searched.
  private followPast(): () => void {
    const isSeen = computed(() => route.value.tab === 'search');
    const past = computed(() => route.value.past);
    return effect(() => {
      const isHere = route.peek().world === this.context.name;
      if (isSeen.value && past.value !== this.askedAt && isHere && this.question.peek()) untracked(() => void this.run());
    });
  }

  // Takes the search that another address names.
  private adopt(search: string): void {
    this.written = search;
    const asked = parse(search);
    this.half.value = undefined;
    this.question.value = asked?.question;
    if (asked && asked.ways.length > 0) this.ways.value = asked.ways;
    if (asked && this.context.model.feed.value.kind === 'live') void this.run(route.value.step);
    else this.clearFilms();
  }

  // Steps of the longest film.
  get length(): number {
    return Math.max(0, ...this.runs.value.map(({ film }) => film?.order.length ?? 0));
  }

  get stepsPerSecond(): number {
    return this.speed.value || Math.max(8, this.length / 6);
  }

  // Takes up the tool: the next click chooses the start, or, `adding`, a further goal.
  begin(adding = false): void {
    this.adding.value = adding;
    this.context.choose('search');
  }

  // Takes a place: the start, then the goal. `more`: a further goal of the search that is shown.
  pick(x: number, y: number, more = false): void {
    const { isGrid } = this.context.model;
    const at: Place = isGrid ? [Math.floor(x) + 0.5, Math.floor(y) + 0.5, 0] : [x, y, this.context.heightAt(x, y)];
    const asked = this.question.value;
    if (!this.half.value && asked && (more || this.adding.value)) {
      this.adding.value = false;
      return this.setQuestion({ goals: [...asked.goals, at].slice(-goalsMost) });
    }
    if (!this.half.value) {
      this.clearFilms();
      this.half.value = at;
      return;
    }
    this.question.value = { ...plainQuestion, ...asked, from: this.half.value, goals: [at] };
    this.half.value = undefined;
    turn({ tab: 'search' });
    void this.run();
  }

  setWay(index: number, change: Partial<Way>): void {
    this.ways.value = this.ways.value.map((way, i) => (i === index ? consistent({ ...way, ...change }) : way));
    if (this.question.value) void this.run();
  }

  setQuestion(change: Partial<Question>): void {
    if (!this.question.value) return;
    this.question.value = { ...this.question.value, ...change };
    void this.run();
  }

  // Compares with a second search beside the first, or ends that.
  compare(on: boolean): void {
    this.ways.value = on ? [this.ways.value[0]!, consistent({ ...this.ways.value[0]!, algorithm: Algorithm.DIJKSTRA })] : this.ways.value.slice(0, 1);
    this.prepareSecond();
    if (this.question.value) void this.run();
  }

  clear(): void {
    this.question.value = undefined;
    this.half.value = undefined;
    this.adding.value = false;
    this.ways.value = this.ways.value.slice(0, 1);
    this.prepareSecond();
    this.clearFilms();
    this.written = '';
    turn({ search: '', step: -1 });
  }

  requestOf(way: Way): MessageInitShape<typeof ExplainPathRequestSchema> {
    const { isGrid, unit } = this.context.model;
    const place = ([x, y, height]: Place) => (isGrid ? locationOf([x, y], true) : positionOf([x, y], unit, height));
    const { from, goals, goalRadius, allowPartial, snapStart } = this.question.value!;
    const { profile, team, maxExpansions, memoryLimitBytes, ...rest } = way;
    const limits = { maxExpansions: BigInt(maxExpansions), memoryLimitBytes: BigInt(memoryLimitBytes), maxWaypoints: 100_000 };
    return {
      request: {
        world: this.context.name,
        from: place(from),
        goals: goals.map(place),
        goalRadius,
        allowPartial,
        snapStart,
        walker: { profile, team },
        options: { ...rest, ...limits, atRevision: BigInt(route.peek().past || 0) },
      },
    };
  }

  // Asks and plays; with a step of the film, shows that one.
  async run(step = -1): Promise<void> {
    const question = this.question.value;
    if (!question) return;
    const round = ++this.round;
    this.busy.value = true;
    this.prepareSecond();
    const ways = this.ways.value;
    this.written = print(question, ways);
    this.askedAt = route.peek().past;
    turn({ search: this.written, step });
    const runs: Run[] = [];
    // One after the other, so that they do not slow each other down.
    for (const way of ways) runs.push(await this.ask(way, question));
    if (round !== this.round) return;
    const length = Math.max(0, ...runs.map(({ film }) => film?.order.length ?? 0));
    const at = Math.max(0, Math.min(length, Math.round(step)));
    this.context.surface.send({ kind: 'film', film: runs[0]?.film, at });
    this.second.value?.send({ kind: 'film', film: runs[1]?.film, at });
    batch(() => {
      this.runs.value = runs;
      this.busy.value = false;
      this.at.value = at;
      this.playing.value = step < 0 && runs.some(({ film }) => film);
    });
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

  private async ask(way: Way, { from, goals }: Question): Promise<Run> {
    const began = performance.now();
    const { unit, isGrid } = this.context.model;
    try {
      const answer = await call(DebugService.method.explainPath, this.requestOf(way), { timeoutMs: 30_000 });
      return { answer, film: filmOf(answer, unit, isGrid, pointOf(from), goals.map(pointOf)), error: undefined, ms: performance.now() - began };
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
    if (half) marks.push({ kind: 'start', point: pointOf(half) });
    else if (question && !this.runs.value[0]?.film) {
      marks.push({ kind: 'start', point: pointOf(question.from) }, ...question.goals.map((goal): Mark => ({ kind: 'goal', point: pointOf(goal) })));
    }
    this.context.mark('search', marks);
  }
}

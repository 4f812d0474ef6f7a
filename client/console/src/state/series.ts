// Figures over the last minutes, for charts: one point for each read of the server's counters.
import type { GetStatsResponse } from '../../gen/repath/v1/debug_pb';

const pointsKept = 300;
const waitsMost = 100_000;

export interface Point {
  seconds: number;
  frameP50: number; // Milliseconds.
  frameP99: number;
  frames: number; // In a second.
  verdicts: number; // In a second.
  waiting: number;
  oldestWait: number; // Longest wait of an agent that waits now, frames.
  latencyP50: number; // Of the verdicts heard since the point before, from the change to the verdict, milliseconds; 0: none.
  latencyMost: number;
  settledFree: number; // Agents settled without a search, in a second.
  searched: number; // Searches begun from scratch, in a second.
  repaired: number; // Repairs of a kept search begun, in a second.
}

function sum(of: Iterable<bigint>): number {
  let all = 0n;
  for (const value of of) all += value;
  return Number(all);
}

export class Series {
  points: Point[] = [];
  private waits: number[] = []; // Milliseconds, since the point before.
  private last: { stats: GetStatsResponse; ms: number } | undefined;

  forget(): void {
    this.points = [];
    this.reset();
  }

  // Counts a verdict that came so long after its change.
  heard(waitedMs: number): void {
    if (this.waits.length < waitsMost) this.waits.push(waitedMs);
  }

  reset(): void {
    this.last = undefined;
  }

  add(stats: GetStatsResponse, ms: number): void {
    const before = this.last;
    this.last = { stats, ms };
    if (!before || ms <= before.ms) return;
    const waits = this.waits.sort((a, b) => a - b);
    this.waits = [];
    const seconds = (ms - before.ms) / 1000;
    const rate = (of: (from: GetStatsResponse) => number) => Math.max(0, (of(stats) - of(before.stats)) / seconds);
    this.points.push({
      seconds: Date.now() / 1000,
      frameP50: stats.frameUsP50 / 1000,
      frameP99: stats.frameUsP99 / 1000,
      frames: rate((from) => Number(from.frame)),
      verdicts: rate((from) => sum(Object.values(from.events))),
      waiting: Number(stats.waiting),
      oldestWait: Number(stats.oldestWaitFrames),
      latencyP50: waits[waits.length >> 1] ?? 0,
      latencyMost: waits.at(-1) ?? 0,
      settledFree: rate((from) => Number(from.filterSettled)),
      searched: rate((from) => sum(from.strategies.map((one) => one.searches - one.repairs))),
      repaired: rate((from) => sum(from.strategies.map((one) => one.repairs))),
    });
    if (this.points.length > pointsKept) this.points.shift();
  }

  get latest(): Point | undefined {
    return this.points.at(-1);
  }
}

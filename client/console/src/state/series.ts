// Figures over the last minutes, for charts: one point for each read of the server's counters.
import type { GetStatsResponse } from '../../gen/repath/v1/debug_pb';

const pointsKept = 300;

export interface Point {
  seconds: number;
  frameP50: number; // Milliseconds.
  frameP99: number;
  frames: number; // In a second.
  verdicts: number; // In a second.
  waiting: number;
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
  private last: { stats: GetStatsResponse; ms: number } | undefined;

  forget(): void {
    this.points = [];
    this.reset();
  }

  reset(): void {
    this.last = undefined;
  }

  add(stats: GetStatsResponse, ms: number): void {
    const before = this.last;
    this.last = { stats, ms };
    if (!before || ms <= before.ms) return;
    const seconds = (ms - before.ms) / 1000;
    const rate = (of: (from: GetStatsResponse) => number) => Math.max(0, (of(stats) - of(before.stats)) / seconds);
    this.points.push({
      seconds: Date.now() / 1000,
      frameP50: stats.frameUsP50 / 1000,
      frameP99: stats.frameUsP99 / 1000,
      frames: rate((from) => Number(from.frame)),
      verdicts: rate((from) => sum(Object.values(from.events))),
      waiting: Number(stats.waiting),
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

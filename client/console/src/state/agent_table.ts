// The agents of a world. Each has a slot: its place in the arrays that the map draws from.
import { WatchViewResponse_Outlook as Outlook } from '../../gen/repath/v1/debug_pb';
import { EventType, type PathEvent } from '../../gen/repath/v1/event_pb';
import { heightsOf, wayOf } from '../feed/convert';
import type { AgentsView } from '../feed/feed';
import { hiddenState, type AgentStateName } from '../raster/palette';
import type { Surface } from './surface';
import { stateNumber, stateOfVerdict } from './verdict';

// How long a broken path is shown as such, though the next verdict may come within a frame.
export const brokenShownMs = 1200;
const glideMost = 4; // Cells that an agent may glide between two views; farther is a jump.

// Events that say something about a path but are no verdict of their own.
const notes = new Set([EventType.COST_CHANGED, EventType.CONFIRMED]);

export interface Row {
  id: bigint;
  slot: number;
  verdict: EventType; // Its latest event that is no note.
  outlook: Outlook;
  waiting: boolean;
  path: Float32Array | undefined;
  rise: Float32Array | undefined; // Height of each waypoint of the path, world units.
  height: number; // Where it is, world units.
  pathVersion: bigint;
  heard: number; // Verdicts of it that have come.
  cost: number; // Cost of the path when it was sent, world units.
  brokenUntil: number; // Until then it counts as broken, on the clock of performance.now().
}

export function stateOf(row: Row): AgentStateName {
  if (row.brokenUntil > performance.now()) return 'invalidated';
  switch (row.outlook) {
    case Outlook.BROKEN:
      return 'invalidated';
    case Outlook.PARTIAL:
      return 'partial';
    case Outlook.UNREACHABLE:
      return 'unreachable';
    case Outlook.START_BLOCKED:
      return 'blocked';
    case Outlook.PATH:
      return row.verdict === EventType.REPLANNED || row.verdict === EventType.IMPROVED ? stateOfVerdict(row.verdict) : 'settled';
    default:
      return 'none';
  }
}

export class AgentTable {
  readonly rows = new Map<bigint, Row>();
  private bySlot: (Row | undefined)[] = [];
  private free: number[] = [];
  private at = new Float32Array(0);
  private unit = 1;
  private isShown: (row: Row) => boolean = () => true;

  constructor(private readonly surface: Surface) {}

  begin(unit: number): void {
    this.unit = unit;
    this.rows.clear();
    this.bySlot = [];
    this.free = [];
    this.at = new Float32Array(0);
    this.surface.send({ kind: 'paths', paths: [], reset: true });
    this.surface.send({ kind: 'agents', at: new Float32Array(0), states: new Uint8Array(0), waiting: new Uint8Array(0), everyMs: 1, jump: 0 });
  }

  look(view: AgentsView): void {
    if (view.whole) {
      const seen = new Set(view.ids);
      for (const id of this.rows.keys()) if (!seen.has(id)) this.drop(id);
    }
    for (const id of view.removed) this.drop(id);
    view.ids.forEach((id, i) => {
      const row = this.rowOf(id);
      row.outlook = view.outlooks[i]!;
      row.waiting = view.waiting[i] === 1;
      row.height = view.heights[i]!;
      this.at[row.slot * 2] = view.at[i * 2]!;
      this.at[row.slot * 2 + 1] = view.at[i * 2 + 1]!;
    });
    if (view.ids.length + view.removed.length > 0 || view.whole) this.send(view.everyMs);
  }

  hear(events: PathEvent[]): void {
    const paths: { slot: number; line: Float32Array | undefined }[] = [];
    for (const event of events) {
      const row = this.rows.get(event.agentId);
      if (event.type === EventType.REMOVED) {
        this.drop(event.agentId);
        continue;
      }
      if (notes.has(event.type)) continue;
      this.takeVerdict(row ?? this.rowOf(event.agentId), event, paths);
    }
    if (paths.length > 0) this.surface.send({ kind: 'paths', paths, reset: false });
    this.send(0);
  }

  // Shows as they are the agents whose time as broken ones is over.
  calm(): void {
    this.send(0);
  }

  // The agent nearest to a place, within a distance; in cells or world units.
  nearest(x: number, y: number, within: number): Row | undefined {
    let best: Row | undefined;
    let least = within * within;
    for (const row of this.rows.values()) {
      if (!this.isShown(row)) continue;
      const [dx, dy] = [this.at[row.slot * 2]! - x, this.at[row.slot * 2 + 1]! - y];
      if (dx * dx + dy * dy < least) [least, best] = [dx * dx + dy * dy, row];
    }
    return best;
  }

  // Shows only the agents for which `isShown` holds.
  filter(isShown: (row: Row) => boolean): void {
    this.isShown = isShown;
    this.send(1);
  }

  placeOf(row: Row): [number, number] {
    return [this.at[row.slot * 2]!, this.at[row.slot * 2 + 1]!];
  }

  private takeVerdict(row: Row, event: PathEvent, paths: { slot: number; line: Float32Array | undefined }[]): void {
    row.verdict = event.type;
    ++row.heard;
    row.cost = event.cost;
    if (event.type === EventType.INVALIDATED) {
      row.brokenUntil = performance.now() + brokenShownMs;
      return; // The broken path stays on the map until the next verdict.
    }
    row.path = event.path && event.path.positions.length > 3 ? wayOf(event.path, this.unit) : undefined;
    row.rise = row.path && heightsOf(event.path!);
    row.pathVersion = event.pathVersion;
    paths.push({ slot: row.slot, line: row.path });
  }

  private rowOf(id: bigint): Row {
    let row = this.rows.get(id);
    if (row) return row;
    const slot = this.free.pop() ?? this.bySlot.length;
    const none = { verdict: EventType.UNSPECIFIED, outlook: Outlook.UNSPECIFIED, waiting: false, path: undefined, rise: undefined, height: 0, pathVersion: 0n, heard: 0, cost: 0, brokenUntil: 0 };
    row = { id, slot, ...none };
    this.rows.set(id, row);
    this.bySlot[slot] = row;
    if (this.at.length <= slot * 2) {
      const larger = new Float32Array(Math.max(64, this.bySlot.length * 4)).fill(NaN);
      larger.set(this.at);
      this.at = larger;
    }
    this.at.fill(NaN, slot * 2, slot * 2 + 2);
    return row;
  }

  private drop(id: bigint): void {
    const row = this.rows.get(id);
    if (!row) return;
    this.rows.delete(id);
    this.bySlot[row.slot] = undefined;
    this.free.push(row.slot);
    this.at.fill(NaN, row.slot * 2, row.slot * 2 + 2);
    this.surface.send({ kind: 'paths', paths: [{ slot: row.slot, line: undefined }], reset: false });
  }

  // Sends positions and states to the map; with `everyMs` 0 the states alone.
  private send(everyMs: number): void {
    const count = this.bySlot.length;
    const states = new Uint8Array(count);
    const waiting = new Uint8Array(count);
    const at = this.at.slice(0, count * 2);
    this.bySlot.forEach((row, slot) => {
      if (!row) return;
      if (!this.isShown(row)) {
        states[slot] = hiddenState;
        at[slot * 2] = NaN;
        return;
      }
      states[slot] = stateNumber(stateOf(row));
      waiting[slot] = Number(row.waiting);
    });
    if (everyMs > 0) this.surface.send({ kind: 'agents', at, states, waiting, everyMs, jump: glideMost });
    else this.surface.send({ kind: 'states', states });
  }
}

// The agents of a world. Each has a slot: its place in the arrays that the map draws from.
import type { AgentState } from '../../gen/repath/v1/agent_pb';
import { EventType, type PathEvent } from '../../gen/repath/v1/event_pb';
import { lineOf, placeOf } from '../feed/convert';
import type { Surface } from './surface';
import { stateNumber, stateOfVerdict } from './verdict';

// Verdicts kept of one agent, as they were seen since the page was opened.
const verdictsKept = 64;
// Verdicts kept of all agents together; the agents that have been quiet longest give theirs up.
const verdictsKeptAll = 60_000;
const glideMost = 4; // Cells that an agent may glide between two reads; farther is a jump.

// The latest of an agent's path events that says something about its path.
const notes = new Set([EventType.COST_CHANGED, EventType.CONFIRMED]);

export interface Row {
  id: bigint;
  slot: number;
  state: AgentState;
  verdict: EventType;
  path: Float32Array | undefined;
  pathVersion: bigint;
}

export class AgentTable {
  readonly rows = new Map<bigint, Row>();
  readonly history = new Map<bigint, PathEvent[]>();
  private bySlot: (Row | undefined)[] = [];
  private free: number[] = [];
  private kept = 0;
  private at = new Float32Array(0);
  private unit = 1;

  constructor(private readonly surface: Surface) {}

  begin(unit: number): void {
    this.unit = unit;
    this.rows.clear();
    this.bySlot = [];
    this.free = [];
    this.surface.send({ kind: 'paths', paths: [], reset: true });
    this.surface.send({ kind: 'agents', at: new Float32Array(0), states: new Uint8Array(0), waiting: new Uint8Array(0), everyMs: 1, jump: 0 });
  }

  // Takes a whole list of the agents.
  read(agents: AgentState[], everyMs: number): void {
    const seen = new Set<bigint>();
    for (const state of agents) {
      const id = state.agent!.id;
      seen.add(id);
      const row = this.rowOf(id, state);
      row.state = state;
      if (state.verdict) row.verdict = state.verdict.type;
      else if (!state.waiting) row.verdict = EventType.UNSPECIFIED;
    }
    for (const id of this.rows.keys()) if (!seen.has(id)) this.drop(id);
    this.send(everyMs);
  }

  hear(events: PathEvent[]): void {
    const paths: { slot: number; line: Float32Array | undefined }[] = [];
    for (const event of events) {
      this.remember(event);
      if (event.type === EventType.REMOVED) {
        this.drop(event.agentId);
        continue;
      }
      const row = this.rows.get(event.agentId) ?? this.rowOf(event.agentId, undefined);
      if (notes.has(event.type)) continue;
      row.verdict = event.type;
      if (event.type === EventType.INVALIDATED) continue; // The broken path stays on the map until the next verdict.
      row.path = event.path && event.path.positions.length > 3 ? lineOf(event.path.positions, this.unit) : undefined;
      row.pathVersion = event.pathVersion;
      paths.push({ slot: row.slot, line: row.path });
    }
    if (paths.length > 0) this.surface.send({ kind: 'paths', paths, reset: false });
    this.send(0);
  }

  // The agent nearest to a place, within a distance; in cells or world units.
  nearest(x: number, y: number, within: number): Row | undefined {
    let best: Row | undefined;
    let least = within * within;
    for (const row of this.rows.values()) {
      const [dx, dy] = [this.at[row.slot * 2]! - x, this.at[row.slot * 2 + 1]! - y];
      if (dx * dx + dy * dy < least) [least, best] = [dx * dx + dy * dy, row];
    }
    return best;
  }

  placeOf(row: Row): [number, number] {
    return [this.at[row.slot * 2]!, this.at[row.slot * 2 + 1]!];
  }

  private rowOf(id: bigint, state: AgentState | undefined): Row {
    let row = this.rows.get(id);
    if (!row) {
      const slot = this.free.pop() ?? this.bySlot.length;
      row = { id, slot, state: state ?? ({} as AgentState), verdict: EventType.UNSPECIFIED, path: undefined, pathVersion: 0n };
      this.rows.set(id, row);
      this.bySlot[slot] = row;
    }
    return row;
  }

  private drop(id: bigint): void {
    const row = this.rows.get(id);
    if (!row) return;
    this.rows.delete(id);
    this.bySlot[row.slot] = undefined;
    this.free.push(row.slot);
    this.surface.send({ kind: 'paths', paths: [{ slot: row.slot, line: undefined }], reset: false });
  }

  private remember(event: PathEvent): void {
    const list = this.history.get(event.agentId) ?? [];
    // Moves the agent to the end of the map's order: the first in it have been quiet longest.
    this.history.delete(event.agentId);
    this.history.set(event.agentId, list);
    list.push(event);
    ++this.kept;
    if (list.length > verdictsKept) {
      list.shift();
      --this.kept;
    }
    while (this.kept > verdictsKeptAll) {
      const [id, oldest] = this.history.entries().next().value!;
      this.history.delete(id);
      this.kept -= oldest.length;
    }
  }

  private send(everyMs: number): void {
    const count = this.bySlot.length;
    const at = new Float32Array(count * 2).fill(NaN);
    const states = new Uint8Array(count);
    const waiting = new Uint8Array(count);
    this.bySlot.forEach((row, slot) => {
      if (!row?.state.agent) return;
      const place = placeOf(row.state.agent.position, this.unit);
      if (!place) return;
      [at[slot * 2], at[slot * 2 + 1]] = place;
      states[slot] = stateNumber(stateOfVerdict(row.verdict, row.state.verdict?.path?.status));
      waiting[slot] = Number(row.state.waiting);
    });
    this.at = at;
    if (everyMs > 0) this.surface.send({ kind: 'agents', at: at.slice(), states, waiting, everyMs, jump: glideMost });
    else this.surface.send({ kind: 'states', states });
  }
}

// Agents at a past revision, as far as the server still knows: where the latest verdict up to then found each, and the path that it had.
// Their positions between two verdicts are not kept.
import { signal } from '@preact/signals';
import { AgentService } from '../../gen/repath/v1/agent_pb';
import { EventType, type PathEvent } from '../../gen/repath/v1/event_pb';
import { wayOf } from '../feed/convert';
import type { Mark } from '../raster/scene';
import { call } from '../wire/rpc';
import { stateNumber, stateOfVerdict } from './verdict';

export const agentsMost = 200; // Verdicts are read one agent at a time.
const atOnce = 6;
const notes = new Set([EventType.COST_CHANGED, EventType.CONFIRMED]);

export interface PastAgent {
  id: bigint;
  at: [number, number];
  path: Float32Array | undefined;
  state: number;
}

// The agent at a revision, from its verdicts, the oldest first. Nothing: it was not there, or no verdict is that old.
export function agentAt(id: bigint, events: readonly PathEvent[], revision: bigint, unit: number): PastAgent | undefined {
  let agent: PastAgent | undefined;
  for (const event of events) {
    if (event.revision > revision) break;
    if (event.type === EventType.REMOVED) agent = undefined;
    const { position, path, type } = event;
    if (!position) continue;
    agent = { id, path: agent?.path, state: agent?.state ?? stateNumber('none'), at: [position.x / unit, position.z / unit] };
    if (notes.has(type)) continue;
    agent.state = stateNumber(stateOfVerdict(type, path?.status));
    if (type !== EventType.INVALIDATED) agent.path = path && path.positions.length > 3 ? wayOf(path, unit) : undefined;
  }
  return agent;
}

export class PastAgents {
  // How many of the world's agents are shown, how many have no verdict that old, and how many were not asked about.
  readonly counts = signal({ shown: 0, unknown: 0, left: 0 });
  private told: Map<bigint, PathEvent[]> | undefined;
  private agents: PastAgent[] = [];
  private left = 0;

  constructor(private readonly context: { readonly name: string }) {}

  forget(): void {
    this.told = undefined;
    this.agents = [];
  }

  // Reads the verdicts of agents that were not read yet, until they are forgotten: those of `chosen`, and of the first ones of the list.
  async load(ids: bigint[], chosen: bigint | undefined): Promise<void> {
    const told = (this.told ??= new Map<bigint, PathEvent[]>());
    const wanted = [...new Set([...(chosen === undefined ? [] : [chosen]), ...ids.slice(0, agentsMost)])].filter((id) => !told.has(id));
    this.left = Math.max(0, ids.length - told.size - wanted.length);
    for (const id of wanted) told.set(id, []);
    const read = async () => {
      for (let id = wanted.shift(); id !== undefined && this.told === told; id = wanted.shift()) {
        // A connection that is gone is the feed's to report.
        const answer = await call(AgentService.method.listVerdicts, { world: this.context.name, agentId: id }).catch(() => undefined);
        told.set(id, answer?.verdicts ?? []);
      }
    };
    await Promise.all(Array.from({ length: atOnce }, read));
  }

  marksAt(revision: bigint, unit: number, chosen: bigint | undefined, withPaths: boolean): Mark[] {
    const told = [...(this.told ?? [])];
    this.agents = told.map(([id, events]) => agentAt(id, events, revision, unit)).filter((agent) => agent !== undefined);
    this.counts.value = { shown: this.agents.length, unknown: told.length - this.agents.length, left: this.left };
    return this.agents.map(({ id, at, path, state }) => ({
      kind: 'agent',
      point: at,
      state,
      ...(path && (withPaths || id === chosen) && { line: path }),
      ...(id === chosen && { label: 'chosen' }),
    }));
  }

  nearest(x: number, y: number, within: number): bigint | undefined {
    const far = ({ at }: PastAgent) => Math.hypot(at[0] - x, at[1] - y);
    const [best] = this.agents.filter((agent) => far(agent) < within).sort((a, b) => far(a) - far(b));
    return best?.id;
  }
}

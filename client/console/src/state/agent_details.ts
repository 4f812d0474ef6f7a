// The selected agent as the server knows it, with its latest verdicts; read again while it is shown.
import { signal } from '@preact/signals';
import { AgentService, type AgentState } from '../../gen/repath/v1/agent_pb';
import type { PathEvent } from '../../gen/repath/v1/event_pb';
import { call } from '../wire/rpc';

const everyMs = 500;

export interface Told {
  event: PathEvent;
  at: number; // When the verdict was given, milliseconds since 1970 by this machine's clock.
}

export class AgentDetails {
  readonly state = signal<AgentState | undefined>(undefined);
  readonly verdicts = signal<Told[]>([]); // The newest first.
  private id: bigint | undefined;
  private timer = 0;
  private heard = -1;
  private reading = false;

  constructor(private readonly world: string) {}

  // Reads an agent from now on, or none. `heard` is how many verdicts of it have come: each asks for its list again.
  follow(id: bigint | undefined, heard: number): void {
    if (id !== this.id) {
      this.id = id;
      this.state.value = undefined;
      this.verdicts.value = [];
      this.heard = -1;
      clearTimeout(this.timer);
      if (id !== undefined) void this.turn(id);
    }
    if (id !== undefined && heard !== this.heard) {
      this.heard = heard;
      void this.readVerdicts(id);
    }
  }

  // The agent as it is now, for a change of it.
  async read(id: bigint): Promise<AgentState | undefined> {
    const answer = await call(AgentService.method.listAgents, { world: this.world, agentIds: [id] });
    return answer.agents[0];
  }

  private async turn(id: bigint): Promise<void> {
    // A connection that is gone is the feed's to report.
    const state = await this.read(id).catch(() => undefined);
    if (id !== this.id) return;
    if (state) this.state.value = state;
    this.timer = window.setTimeout(() => void this.turn(id), everyMs);
  }

  private async readVerdicts(agentId: bigint): Promise<void> {
    if (this.reading) return;
    this.reading = true;
    const asked = this.heard;
    const answer = await call(AgentService.method.listVerdicts, { world: this.world, agentId }).catch(() => undefined);
    this.reading = false;
    if (agentId !== this.id) {
      if (this.id !== undefined) void this.readVerdicts(this.id);
      return;
    }
    if (answer) {
      const now = Date.now();
      this.verdicts.value = answer.verdicts.map((event, i) => ({ event, at: now - Number(answer.agesMs[i] ?? 0n) })).reverse();
    }
    if (asked !== this.heard) void this.readVerdicts(agentId);
  }
}

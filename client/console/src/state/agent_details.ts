// The selected agent as the server knows it, read again while it is shown.
import { signal } from '@preact/signals';
import { AgentService, type AgentState } from '../../gen/repath/v1/agent_pb';
import { call } from '../wire/rpc';

const everyMs = 500;

export class AgentDetails {
  readonly state = signal<AgentState | undefined>(undefined);
  private id: bigint | undefined;
  private timer = 0;

  constructor(private readonly world: string) {}

  // Reads an agent from now on, or none.
  follow(id: bigint | undefined): void {
    if (id === this.id) return;
    this.id = id;
    this.state.value = undefined;
    clearTimeout(this.timer);
    if (id !== undefined) void this.turn(id);
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
}

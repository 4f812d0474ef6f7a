// What the token of this page may do in a world. No call returns the scopes of a token, so the page tries calls that cannot
// succeed. If the scope allows such a call, the server refuses it for its contents, otherwise with PERMISSION_DENIED.
import { signal } from '@preact/signals';
import { AgentService } from '../../gen/repath/v1/agent_pb';
import { WorldService } from '../../gen/repath/v1/world_pb';
import { errorOf } from '../wire/error';
import { call, hasToken } from '../wire/rpc';

export class Access {
  // Why batches, and agents, cannot be changed; empty: they can, as far as is known.
  readonly noWrite = signal('');
  readonly noAgents = signal('');
  private asked = false;

  constructor(private readonly world: string) {}

  async ask(): Promise<void> {
    if (this.asked || !hasToken()) return;
    this.asked = true;
    const { world } = this;
    const never = 2n ** 64n - 1n; // A revision that no world has.
    const refusal = async (what: Promise<unknown>, sentence: string) => {
      const error = await what.then(() => undefined, errorOf);
      if (error?.passing) this.asked = false;
      return error?.code === 'permission_denied' ? `${sentence} (${error.message})` : '';
    };
    this.noWrite.value = await refusal(
      call(WorldService.method.applyChanges, { world, batch: {}, expectedRevision: never }),
      'The token of this tab may try changes but not make them.',
    );
    this.noAgents.value = await refusal(call(AgentService.method.upsertAgents, { world, agents: [] }), 'The token of this tab may not change agents.');
  }
}

// The agent or obstacle that is selected.
import type { WorldContext } from '../state/world_context';

export function Inspect({ context }: { context: WorldContext }) {
  return <p class="faint pad">{context.name}</p>;
}

// The history that is scrubbed.
import type { WorldContext } from './world_context';

export class HistoryState {
  constructor(readonly context: WorldContext) {}
}

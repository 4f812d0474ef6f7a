// The search that is watched.
import type { WorldContext } from './world_context';

export class SearchState {
  constructor(private readonly context: WorldContext) {}
  start(): () => void {
    return () => void this.context;
  }
  pick(_x: number, _y: number): void {}
  toggle(): void {}
  step(_by: number): void {}
}

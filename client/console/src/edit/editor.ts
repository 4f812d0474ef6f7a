// Strokes on the map.
import { route, turn } from '../state/route';
import type { WorldContext } from '../state/world_context';

export class Editor {
  constructor(private readonly context: WorldContext) {}
  down(_x: number, _y: number, _shift: boolean): boolean {
    return false;
  }
  drag(_x: number, _y: number): void {}
  up(_x: number, _y: number, _click: boolean): void {}
  hover(_x: number, _y: number): void {}
  click(x: number, y: number): void {
    turn({ select: this.context.pick(x, y), tab: route.value.tab === 'overview' ? 'inspect' : route.value.tab });
  }
  finish(_x: number, _y: number): void {}
  escape(): void {}
  enter(): void {}
  async undo(): Promise<void> {}
  async removeSelected(): Promise<void> {}
}

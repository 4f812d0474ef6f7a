// Where a tower may stand, for the part of the map that is seen. Asked again when the world, its agents, the view or the
// size change, one question at a time.
import { computed, effect, signal } from '@preact/signals';
import { PathService } from '../../gen/repath/v1/path_pb';
import { Probe } from '../edit/probe';
import { fromPlane, toWorld } from '../raster/view';
import { errorOf, type RpcError } from '../wire/error';
import { call } from '../wire/rpc';
import { route, turn } from './route';
import { parseTower, plain, printTower, towerSideMost, type Tower, type TowerSize } from './tower';
import type { WorldContext } from './world_context';

const everyMs = 500; // Least time between two questions.
const cellsMost = 1 << 18; // Anchors in one question.
const workMost = 20_000_000n; // Nodes that the server may expand for one question.

interface Rect {
  x0: number;
  y0: number;
  x1: number;
  y1: number;
}

export class PlacementState {
  // `on`: the page's address names a tower. `chosen`: that tower; while the address names none, the last one.
  readonly on = computed(() => parseTower(route.value.towers) !== undefined);
  readonly chosen = computed(() => (this.last = parseTower(route.value.towers) ?? this.last));
  private last = plain;
  // Anchors by answer (placement_pixels.ts); nothing: no answer is shown.
  readonly counts = signal<number[] | undefined>(undefined);
  readonly trouble = signal<RpcError | undefined>(undefined);
  private readonly probe = new Probe();

  constructor(private readonly context: WorldContext) {}

  show(on: boolean): void {
    turn({ towers: on ? printTower(this.chosen.peek()) : '' });
  }

  choose(change: Partial<Tower>): void {
    turn({ towers: printTower({ ...this.chosen.peek(), ...change }) });
  }

  // The size of the box that is being drawn, or else the chosen one.
  readonly size = computed<TowerSize>(() => {
    const shape = this.context.editor.draft.value?.shape;
    if (shape?.kind !== 'rect') return this.chosen.value;
    const side = (length: number) => Math.max(1, Math.min(towerSideMost, length));
    return { width: side(shape.x1 - shape.x0), height: side(shape.y1 - shape.y0) };
  });

  readonly isShown = computed(() => this.on.value && this.context.model.meta.value?.kind === 'grid' && !this.context.model.shownPast.value);

  // The cells that are seen; undefined if there are none, or too many for one question.
  readonly seen = computed<Rect | undefined>(() => {
    const { view, size, model } = this.context;
    const world = model.meta.value;
    if (!world || size.value.width < 2) return undefined;
    const at = (x: number, y: number) => fromPlane(...toWorld(view.value, size.value, x, y), model.isHex);
    const [left, top] = at(0, 0);
    const [right, bottom] = at(size.value.width, size.value.height);
    const x0 = Math.max(0, Math.floor(left) - 1);
    const y0 = Math.max(0, Math.floor(top) - 1);
    const x1 = Math.min(world.width, Math.ceil(right) + 1);
    const y1 = Math.min(world.height, Math.ceil(bottom) + 1);
    return x0 < x1 && y0 < y1 && (x1 - x0) * (y1 - y0) <= cellsMost ? { x0, y0, x1, y1 } : undefined;
  });

  start(): () => void {
    return effect(() => {
      const { model } = this.context;
      void model.meta.value?.revision;
      void model.agentsTurn.value;
      const area = this.isShown.value ? this.seen.value : undefined;
      const tower = { ...this.chosen.value, ...this.size.value };
      if (area) void this.probe.ask(() => this.ask(area, tower));
      else this.hide();
    });
  }

  private hide(): void {
    this.counts.value = undefined;
    this.trouble.value = undefined;
    this.context.surface.send({ kind: 'placements', placements: undefined });
  }

  private async ask(area: Rect, { width, height, profile, team }: Tower): Promise<void> {
    const began = performance.now();
    try {
      const { placements, area: told } = await call(PathService.method.findPlacements, {
        world: this.context.name,
        area,
        width,
        height,
        walker: { profile, team },
        maxExpansions: workMost,
      });
      if (!this.isShown.peek() || !told) return;
      const counts = [0, 0, 0, 0, 0, 0];
      for (const answer of placements) ++counts[answer]!;
      const answers = placements.slice();
      const at = { x0: told.x0, y0: told.y0, width: told.x1 - told.x0, height: told.y1 - told.y0 };
      this.context.surface.send({ kind: 'placements', placements: { ...at, answers } }, [answers.buffer]);
      this.counts.value = counts;
      this.trouble.value = undefined;
    } catch (thrown) {
      this.trouble.value = errorOf(thrown);
    }
    const left = began + everyMs - performance.now();
    if (left > 0) await new Promise((done) => setTimeout(done, left));
  }
}

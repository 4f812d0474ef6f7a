// Where the agents that this page walks came from, kept over a reload of the page: each goes back there once it has arrived.
import { keep, recall } from '../wire/storage';

export type Place = [x: number, y: number, height: number];

const homesMost = 20_000; // More are not kept: the browser has about 5 MiB for a page.

interface Kept {
  world: string;
  epoch: string;
  homes: Record<string, Place>;
}

export class Homes {
  private kept: Kept | undefined;

  constructor(private readonly world: string) {
    try {
      this.kept = JSON.parse(recall('repath-homes')) as Kept;
    } catch {
      this.kept = undefined; // Nothing was kept.
    }
  }

  // Returns the home that an agent had when the page was left; nothing if none is known or it belongs to another world.
  of(epoch: string, id: bigint): Place | undefined {
    const { kept } = this;
    return kept && kept.world === this.world && kept.epoch === epoch ? kept.homes?.[String(id)] : undefined;
  }

  save(epoch: string, homes: [bigint, Place][]): void {
    if (homes.length === 0 || homes.length > homesMost) return;
    const rounded = homes.map(([id, place]) => [String(id), place.map((value) => +value.toFixed(2))]);
    keep('repath-homes', JSON.stringify({ world: this.world, epoch, homes: Object.fromEntries(rounded) }));
  }
}

// A canvas whose pixels a worker draws. One worker serves all canvases of the page.
import { signal } from '@preact/signals';
import type { FromRaster, ToSurface } from '../raster/messages';

let worker: Worker | undefined;
let surfaces = 0;
const open = new Map<number, Surface>();

function theWorker(): Worker {
  if (worker) return worker;
  worker = new Worker('raster.js');
  worker.onmessage = ({ data }: MessageEvent<FromRaster>) => {
    const surface = open.get(data.surface);
    if (surface) surface.speed.value = { frames: data.frames, drawMs: data.drawMs };
  };
  return worker;
}

export class Surface {
  private readonly id = ++surfaces;
  private attached = false;
  private early: ToSurface[] = [];

  // A second surface shows the ground and the obstacles of the first.
  constructor(private readonly first?: Surface) {}

  // Frames drawn in the last second, and their mean time in milliseconds.
  readonly speed = signal({ frames: 0, drawMs: 0 });

  // Hands a fresh canvas over to the worker. Once for each surface.
  attach(canvas: HTMLCanvasElement): void {
    const offscreen = canvas.transferControlToOffscreen();
    theWorker().postMessage({ kind: 'open', surface: this.id, canvas: offscreen, first: this.first?.id }, [offscreen]);
    this.attached = true;
    open.set(this.id, this);
    for (const message of this.early) this.send(message);
    this.early = [];
  }

  send(message: ToSurface, transfer: Transferable[] = []): void {
    if (this.attached) theWorker().postMessage({ surface: this.id, ...message }, transfer);
    else this.early.push(message);
  }

  close(): void {
    if (this.attached) this.send({ kind: 'close' });
    open.delete(this.id);
  }
}

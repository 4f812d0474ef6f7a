// A canvas whose pixels a worker draws. One worker serves all canvases of the page.
//
// The worker is started with the page. While its script cannot be loaded, because the server is gone just then, canvases and
// messages wait, and the worker is started again and again.
import { signal } from '@preact/signals';
import type { FromRaster, ToSurface } from '../raster/messages';
import type { Probed } from '../raster/probe';

const againMs = 1000;
let worker: Worker | undefined; // Set once it runs.
let surfaces = 0;
const open = new Map<number, Surface>();

// Messages of which the latest one says everything that older ones of their kind said.
const whole = new Set<ToSurface['kind']>(['size', 'view', 'theme', 'layers', 'agents', 'marks', 'placements', 'selected', 'filmAt']);

function startWorker(): void {
  const made = new Worker('raster.js');
  made.onmessage = ({ data }: MessageEvent<FromRaster>) => {
    if (data.kind === 'ready') {
      worker = made;
      for (const surface of open.values()) surface.handOver(made);
      return;
    }
    const surface = open.get(data.surface);
    if (surface && data.kind === 'probed') surface.hear(data.probed);
    else if (surface && data.kind === 'speed') surface.speed.value = { frames: data.frames, drawMs: data.drawMs };
  };
  made.onerror = () => {
    if (worker === made) return; // It runs; the browser has logged the error.
    made.terminate();
    setTimeout(startWorker, againMs);
  };
}

if (typeof Worker !== 'undefined') startWorker();

export class Surface {
  private readonly id = ++surfaces;
  private canvas: HTMLCanvasElement | undefined; // Until the worker has it.
  private attached = false;
  private early: ToSurface[] = [];

  // A second surface shows the ground and the obstacles of the first.
  constructor(private readonly first?: Surface) {}

  // Frames drawn in the last second, and their mean time in milliseconds.
  readonly speed = signal({ frames: 0, drawMs: 0 });

  // The facts of the place that was probed last; undefined if there is none.
  readonly probed = signal<Probed | undefined>(undefined);
  private wanted: [x: number, y: number, reach: number] | undefined;
  private isAsked = false;

  // Asks what is at a place, one question at a time; with nothing forgets it.
  probe(place: [x: number, y: number, reach: number] | undefined): void {
    this.wanted = place;
    if (!place) this.probed.value = undefined;
    else if (!this.isAsked && this.attached) this.ask(place);
  }

  private ask([x, y, reach]: [number, number, number]): void {
    this.isAsked = true;
    this.send({ kind: 'probe', x, y, reach });
  }

  hear(probed: Probed): void {
    this.isAsked = false;
    if (!this.wanted) return;
    this.probed.value = probed;
    const [x, y] = this.wanted;
    if (x !== probed.at[0] || y !== probed.at[1]) this.ask(this.wanted);
  }

  // Hands a fresh canvas over to the worker, as soon as that runs. Once for each surface.
  attach(canvas: HTMLCanvasElement): void {
    this.canvas = canvas;
    open.set(this.id, this);
    if (worker) this.handOver(worker);
  }

  handOver(to: Worker): void {
    if (!this.canvas) return;
    const offscreen = this.canvas.transferControlToOffscreen();
    this.canvas = undefined;
    to.postMessage({ kind: 'open', surface: this.id, canvas: offscreen, first: this.first?.id }, [offscreen]);
    this.attached = true;
    for (const message of this.early) this.send(message);
    this.early = [];
  }

  send(message: ToSurface, transfer: Transferable[] = []): void {
    if (this.attached) return worker!.postMessage({ surface: this.id, ...message }, transfer);
    if (whole.has(message.kind)) this.early = this.early.filter(({ kind }) => kind !== message.kind);
    this.early.push(message);
  }

  close(): void {
    if (this.attached) this.send({ kind: 'close' });
    this.canvas = undefined;
    open.delete(this.id);
  }
}

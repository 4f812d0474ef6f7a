// The worker that draws: holds a scene for each canvas handed to it, and draws a frame whenever something has changed.
import { Pixels } from './canvas';
import { GridGround } from './grid';
import type { ToRaster } from './messages';
import { Scene } from './scene';
import type { View } from './view';

interface Surface {
  canvas: OffscreenCanvas;
  context: OffscreenCanvasRenderingContext2D;
  image: ImageData;
  pixels: Pixels;
  scene: Scene;
  view: View;
  dirty: boolean;
  frames: number;
  drawMs: number;
}

const surfaces = new Map<number, Surface>();
const worker = self as unknown as { postMessage(message: unknown): void; onmessage: ((event: MessageEvent<ToRaster>) => void) | null };

function sized(surface: Surface, width: number, height: number): void {
  surface.canvas.width = width;
  surface.canvas.height = height;
  surface.image = new ImageData(width, height);
  surface.pixels = new Pixels(width, height, new Uint32Array(surface.image.data.buffer));
}

function open(id: number, canvas: OffscreenCanvas, first: number | undefined): void {
  const context = canvas.getContext('2d', { alpha: false })!;
  const surface: Surface = {
    canvas,
    context,
    image: new ImageData(1, 1),
    pixels: new Pixels(1, 1),
    scene: new Scene(first === undefined ? undefined : surfaces.get(first)?.scene),
    view: { x: 0, y: 0, scale: 1 },
    dirty: true,
    frames: 0,
    drawMs: 0,
  };
  sized(surface, canvas.width, canvas.height);
  surfaces.set(id, surface);
}

function place(scene: Scene, message: Extract<ToRaster, { kind: 'agents' }>): void {
  const now = performance.now();
  const before = new Float32Array(message.at.length);
  for (let slot = 0; slot * 2 < message.at.length; ++slot) {
    const known = slot * 2 < scene.at.length && scene.at[slot * 2] === scene.at[slot * 2];
    const [x, y] = known ? scene.positionOf(slot, now) : [message.at[slot * 2]!, message.at[slot * 2 + 1]!];
    const jump = Math.abs(x - message.at[slot * 2]!) + Math.abs(y - message.at[slot * 2 + 1]!) > message.jump;
    before[slot * 2] = jump ? message.at[slot * 2]! : x;
    before[slot * 2 + 1] = jump ? message.at[slot * 2 + 1]! : y;
  }
  scene.before = before;
  scene.at = message.at;
  takeStates(scene, message.states);
  scene.waiting = message.waiting;
  scene.movedAt = now;
  scene.moveMs = Math.max(1, message.everyMs);
}

// The states colour the paths too, which are drawn again only if a state has changed.
function takeStates(scene: Scene, states: Uint8Array): void {
  if (states.length !== scene.states.length || states.some((state, slot) => state !== scene.states[slot])) ++scene.version;
  scene.states = states;
}

function take(surface: Surface, message: ToRaster): void {
  const { scene } = surface;
  switch (message.kind) {
    case 'size':
      scene.labelTimes = Math.max(1, Math.round(message.ratio));
      return sized(surface, message.width, message.height);
    case 'view':
      surface.view = message.view;
      return;
    case 'theme':
      return scene.setTheme(message.theme);
    case 'layers':
      return scene.setLayers(message.layers);
    case 'grid':
      scene.hex = message.hex;
      scene.grid = new GridGround(message.width, message.height, message.looks, scene.palette, scene.theme);
      scene.grid.hex = message.hex;
      scene.grid.show(scene.layers.ground, scene.layers.radius);
      return scene.groundChanged();
    case 'tiles':
      for (const tile of message.tiles) scene.grid?.setTerrain(tile.column, tile.row, tile.terrain);
      return;
    case 'overlays':
      if (message.reset) scene.grid?.clearOverlays();
      for (const { column, row, levels } of message.overlays) scene.grid?.setOverlay(column, row, levels);
      return;
    case 'mesh':
      scene.mesh = message.mesh;
      return scene.groundChanged();
    case 'graph':
      scene.graph = message.graph;
      return scene.groundChanged();
    case 'obstacles':
      if (message.reset) (scene.grid ? scene.grid.clearObstacles() : scene.shapes.clear());
      for (const id of message.removed) (scene.grid ? scene.grid.remove(id) : scene.shapes.delete(id));
      ++scene.version;
      for (const obstacle of message.put) (scene.grid ? scene.grid.put(obstacle) : scene.shapes.set(obstacle.id, obstacle));
      return;
    case 'agents':
      return place(scene, message);
    case 'states':
      if (message.states.length === scene.states.length) takeStates(scene, message.states);
      return;
    case 'paths':
      if (message.reset) scene.paths.length = 0;
      for (const { slot, line } of message.paths) scene.paths[slot] = line;
      ++scene.version;
      return;
    case 'marks':
      scene.marks = message.marks;
      return;
    case 'placements':
      scene.placements = message.placements;
      ++scene.version;
      return;
    case 'selected':
      scene.selected = message.slot;
      return;
    case 'film':
      scene.film = message.film;
      ++scene.version;
      scene.filmAt = message.at;
      return;
    case 'filmAt':
      scene.filmAt = message.at;
      return;
    default:
  }
}

worker.onmessage = ({ data }) => {
  if (data.kind === 'open') return open(data.surface, data.canvas, data.first);
  if (data.kind === 'close') return void surfaces.delete(data.surface);
  const surface = surfaces.get(data.surface);
  if (!surface) return;
  if (data.kind === 'probe') {
    return worker.postMessage({ kind: 'probed', surface: data.surface, probed: surface.scene.probe(data.x, data.y, data.reach) });
  }
  take(surface, data);
  surface.dirty = true;
};

function frame(): void {
  for (const surface of surfaces.values()) {
    if (!surface.dirty && !surface.scene.moving) continue;
    surface.dirty = false;
    const began = performance.now();
    surface.scene.draw(surface.view, surface.pixels, began);
    surface.context.putImageData(surface.image, 0, 0);
    surface.drawMs += performance.now() - began;
    ++surface.frames;
  }
  requestAnimationFrame(frame);
}

setInterval(() => {
  for (const [id, surface] of surfaces) {
    worker.postMessage({ kind: 'speed', surface: id, frames: surface.frames, drawMs: surface.frames ? surface.drawMs / surface.frames : 0 });
    surface.frames = 0;
    surface.drawMs = 0;
  }
}, 1000);
requestAnimationFrame(frame);
worker.postMessage({ kind: 'ready' });

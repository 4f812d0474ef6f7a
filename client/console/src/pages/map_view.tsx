// The map: a canvas that a worker draws, and what pointer and keys do on it.
import { useEffect, useRef } from 'preact/hooks';
import { turn, route } from '../state/route';
import { keysShown } from '../ui/keys';
import type { Surface } from '../state/surface';
import type { WorldContext } from '../state/world_context';

const clickMoveMost = 4; // Pixels that a click may wander.

// `second` shows the other one of two searches that are compared.
export function MapView({ context, second }: { context: WorldContext; second?: Surface }) {
  const frame = useRef<HTMLDivElement>(null);
  useEffect(() => {
    // A canvas can be handed to the worker once, so it is made with the context and not by the page.
    const canvas = document.createElement('canvas');
    canvas.tabIndex = 0;
    canvas.setAttribute('role', 'application');
    canvas.setAttribute('aria-label', `Map of ${context.name}. Arrow keys move, plus and minus zoom, 0 shows all.`);
    frame.current!.prepend(canvas);
    (second ?? context.surface).attach(canvas);
    const observer = new ResizeObserver(([entry]) => {
      const { width, height } = entry!.contentRect;
      if (!second) context.size.value = { width, height };
    });
    observer.observe(frame.current!);
    const end = listen(canvas, context, !second);
    return () => {
      end();
      observer.disconnect();
      canvas.remove();
      second?.close();
    };
  }, [context, second]);
  return <div class={`map tool-${context.tool.value}`} ref={frame} />;
}

function listen(canvas: HTMLCanvasElement, context: WorldContext, keys: boolean): () => void {
  const pointers = new Map<number, [number, number]>();
  let moved = 0;
  let drawing = false;

  const place = (event: PointerEvent | MouseEvent): [number, number] => {
    const box = canvas.getBoundingClientRect();
    return [event.clientX - box.left, event.clientY - box.top];
  };
  const down = (event: PointerEvent) => {
    canvas.focus({ preventScroll: true });
    canvas.setPointerCapture(event.pointerId);
    pointers.set(event.pointerId, place(event));
    moved = 0;
    const left = event.button === 0 && pointers.size === 1;
    drawing = left && context.editor.down(...context.at(...place(event)), event.shiftKey);
  };
  const move = (event: PointerEvent) => {
    const now = place(event);
    context.middleRead.value = false;
    context.hover.value = context.at(...now);
    const before = pointers.get(event.pointerId);
    if (!before) return context.editor.hover(...context.at(...now));
    moved += Math.hypot(now[0] - before[0], now[1] - before[1]);
    pointers.set(event.pointerId, now);
    if (pointers.size === 2) {
      pinch(context, [...pointers.values()], before, now);
      return;
    }
    if (drawing) return context.editor.drag(...context.at(...now));
    if (moved <= clickMoveMost) return;
    const { x, y, scale } = context.view.value;
    context.setView({ x: x - (now[0] - before[0]) / scale, y: y - (now[1] - before[1]) / scale, scale });
  };
  const up = (event: PointerEvent) => {
    if (!pointers.delete(event.pointerId)) return;
    const at = context.at(...place(event));
    if (drawing) context.editor.up(...at, moved <= clickMoveMost);
    else if (moved <= clickMoveMost && pointers.size === 0) {
      context.hover.value = at;
      context.editor.click(...at, event.shiftKey);
    }
    drawing = false;
  };
  const wheel = (event: WheelEvent) => {
    event.preventDefault();
    const lines = event.deltaMode === 1 ? event.deltaY * 20 : event.deltaY;
    context.zoom(Math.exp(-Math.max(-240, Math.min(240, lines)) * 0.0022), ...place(event));
  };
  const double = (event: MouseEvent) => context.editor.finish(...context.at(...place(event)));
  // Where the map was tapped stays read out.
  const leave = (event: PointerEvent) => {
    if (event.pointerType === 'mouse') context.hover.value = undefined;
  };
  const menu = (event: Event) => event.preventDefault();
  const key = (event: KeyboardEvent) => pressed(event, context);

  canvas.addEventListener('pointerdown', down);
  canvas.addEventListener('pointermove', move);
  canvas.addEventListener('pointerup', up);
  canvas.addEventListener('pointercancel', up);
  canvas.addEventListener('pointerleave', leave);
  canvas.addEventListener('wheel', wheel, { passive: false });
  canvas.addEventListener('dblclick', double);
  canvas.addEventListener('contextmenu', menu);
  if (keys) addEventListener('keydown', key);
  return () => removeEventListener('keydown', key);
}

function pinch(context: WorldContext, points: [number, number][], before: [number, number], now: [number, number]): void {
  const other = points.find((point) => point !== now) ?? now;
  const [was, is] = [Math.hypot(before[0] - other[0], before[1] - other[1]), Math.hypot(now[0] - other[0], now[1] - other[1])];
  if (was > 8 && is > 8) context.zoom(is / was, (now[0] + other[0]) / 2, (now[1] + other[1]) / 2);
  const { x, y, scale } = context.view.value;
  context.setView({ x: x - (now[0] - before[0]) / 2 / scale, y: y - (now[1] - before[1]) / 2 / scale, scale });
}

const toolKeys: Record<string, WorldContext['tool']['value']> = {
  v: 'select',
  b: 'box',
  c: 'disc',
  p: 'polygon',
  w: 'wall',
  a: 'agent',
  g: 'goal',
  s: 'search',
};

// Keys work wherever the focus is, except in a field that is edited.
function pressed(event: KeyboardEvent, context: WorldContext): void {
  const target = event.target as HTMLElement;
  if (event.altKey || target.closest('input:not([type=checkbox], [type=range]), select, textarea')) {
    if (event.key === 'Escape' && context.editor.draft.value) context.editor.discard();
    return;
  }
  // A slider and the tabs have their own use for these.
  if (/^(Arrow|Home$|End$|Page)/.test(event.key) && target.closest('input[type=range], [role=tab]')) return;
  const command = event.ctrlKey || event.metaKey;
  if (command && event.key.toLowerCase() === 'z') {
    event.preventDefault();
    return void context.editor.undo();
  }
  if (command) return;
  const { x, y, scale } = context.view.value;
  const { width, height } = context.size.value;
  const step = 80 / scale;
  const actions: Record<string, () => unknown> = {
    ArrowLeft: () => context.setView({ x: x - step, y, scale }),
    ArrowRight: () => context.setView({ x: x + step, y, scale }),
    ArrowUp: () => context.setView({ x, y: y - step, scale }),
    ArrowDown: () => context.setView({ x, y: y + step, scale }),
    '+': () => context.zoom(1.4, width / 2, height / 2),
    '=': () => context.zoom(1.4, width / 2, height / 2),
    '-': () => context.zoom(1 / 1.4, width / 2, height / 2),
    '0': () => context.fit(),
    f: () => context.selectedAgent.value && turn({ follow: !route.value.follow }),
    ' ': () => context.search.toggle(),
    '.': () => context.search.step(1),
    ',': () => context.search.step(-1),
    i: () => (context.middleRead.value = !context.middleRead.value),
    '?': () => (keysShown.value = !keysShown.value),
    Escape: () => (keysShown.value ? (keysShown.value = false) : context.editor.escape()),
    Enter: () => context.editor.enter(),
    Delete: () => void context.editor.removeSelected(),
  };
  const key = event.key.length === 1 ? event.key.toLowerCase() : event.key;
  const tool = toolKeys[key];
  // On a button, space and enter press it.
  if (target.closest('button, a, input') && (key === ' ' || key === 'Enter')) return;
  if (tool) context.choose(tool);
  else if (actions[key]) actions[key]!();
  else return;
  event.preventDefault();
}

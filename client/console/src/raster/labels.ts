// Numbers on the map: the ids of obstacles, in digits of five by seven pixels, as the raster has no other text.
import type { Pixels } from './canvas';
import type { GridObstacle } from './grid';
import type { Palette } from './palette';
import { boundsOf, cornersOf, holds, type Shape } from './shape';

// Rows of each digit, from the top; the bits of a row from left to right.
const digits = [
  [14, 17, 19, 21, 25, 17, 14],
  [4, 12, 4, 4, 4, 4, 14],
  [14, 17, 1, 2, 4, 8, 31],
  [31, 2, 4, 2, 1, 17, 14],
  [2, 6, 10, 18, 31, 2, 2],
  [31, 16, 30, 1, 1, 17, 14],
  [6, 8, 16, 30, 17, 17, 14],
  [31, 1, 2, 4, 8, 8, 8],
  [14, 17, 17, 14, 17, 17, 14],
  [14, 17, 17, 15, 1, 2, 12],
];
const [wide, high, gap, border] = [5, 7, 1, 2];
const shownMost = 400;
const scaleLeast = 6; // Pixels a cell or unit below which nothing is labelled.

interface Box {
  x0: number;
  y0: number;
  x1: number;
  y1: number;
}

// The ground of a number whose middle is at a pixel. `times`: pixels of the canvas for one of a digit.
function boxOf(text: string, cx: number, cy: number, times: number): Box {
  const [width, height] = [(text.length * (wide + gap) - gap + 2 * border) * times, (high + 2 * border) * times];
  const [x0, y0] = [Math.round(cx - width / 2), Math.round(cy - height / 2)];
  return { x0, y0, x1: x0 + width, y1: y0 + height };
}

// Writes a number on its ground.
export function drawNumber(out: Pixels, text: string, { x0, y0, x1, y1 }: Box, ink: number, ground: number, times: number): void {
  out.rect(x0, y0, x1, y1, ground, 225);
  [...text].forEach((digit, place) => {
    digits[Number(digit)]!.forEach((row, y) => {
      for (let x = 0; x < wide; ++x) {
        if (!((row >> (wide - 1 - x)) & 1)) continue;
        const left = x0 + (border + place * (wide + gap) + x) * times;
        const top = y0 + (border + y) * times;
        out.rect(left, top, left + times, top + times, ink);
      }
    });
  });
}

// A place of the shape for its label: the middle of its bounds, or, if that is not in it, the middle of its first side.
function middleOf(shape: Shape): [number, number] {
  const { x0, y0, x1, y1 } = boundsOf(shape);
  const middle: [number, number] = [(x0 + x1) / 2, (y0 + y1) / 2];
  const corners = cornersOf(shape);
  if (corners.length < 4 || holds(shape, ...middle)) return middle;
  return [(corners[0]! + corners[2]!) / 2, (corners[1]! + corners[3]!) / 2];
}

// Labels the obstacles that are large enough on the canvas, doors first: all of them or, without `all`, doors alone.
export function drawLabels(
  obstacles: () => Iterable<GridObstacle>,
  all: boolean,
  project: (x: number, y: number) => [number, number],
  scale: number,
  out: Pixels,
  palette: Palette,
  times: number,
): void {
  if (scale < scaleLeast * times) return;
  const taken: Box[] = [];
  const wanted = [...obstacles()].filter(({ id, door }) => (all || door) && !id.startsWith('body '));
  for (const { id, shape, door } of wanted.sort((a, b) => Number(b.door ?? false) - Number(a.door ?? false))) {
    if (taken.length >= shownMost) return;
    const { x0, y0, x1, y1 } = boundsOf(shape);
    const [cx, cy] = project(...middleOf(shape));
    const box = boxOf(id, cx, cy, times);
    if (box.x1 < 0 || box.y1 < 0 || box.x0 > out.width || box.y0 > out.height) continue;
    if (Math.max(x1 - x0, y1 - y0) * scale < Math.max(box.x1 - box.x0, 11 * times)) continue;
    if (taken.some((other) => box.x0 < other.x1 && other.x0 < box.x1 && box.y0 < other.y1 && other.y0 < box.y1)) continue;
    taken.push(box);
    drawNumber(out, id, box, palette.ink, door ? palette.open : palette.free, times);
  }
}

// Where a tower may stand, laid over the cells of a grid. Each answer has a colour and a pattern of its own, so that it can
// be told apart without colours too.
import type { Pixels } from './canvas';
import type { Palette } from './palette';
import { fromPlane, toCanvas, toPlane, toWorld, type View } from './view';

// Answers for the anchors of a rectangle, row by row: numbers of repath.v1.Placement.
export interface Placements {
  x0: number;
  y0: number;
  width: number;
  height: number;
  answers: Uint8Array;
}

export const placement = { free: 1, ground: 2, agent: 3, cutsOff: 4, unknown: 5 } as const;

const stripes = 8; // Pixels from one stripe to the next.

// Opacity of an answer at a pixel, 0 to 256.
function opacity(answer: number, px: number, py: number): number {
  switch (answer) {
    case placement.free:
      return 50;
    case placement.agent:
      return (px + py) % stripes < stripes / 2 ? 190 : 70;
    case placement.cutsOff:
      return (px + stripes * 1e5 - py) % stripes < stripes / 2 ? 190 : 70;
    case placement.unknown:
      return px % 6 < 2 && py % 6 < 2 ? 150 : 0;
    default:
      return 0;
  }
}

export function colourOfPlacement(answer: number, palette: Palette): number {
  if (answer === placement.free) return palette.accent;
  if (answer === placement.agent) return palette.openSet;
  return answer === placement.cutsOff ? palette.ghost : palette.ink;
}

export function drawPlacements(placements: Placements, view: View, out: Pixels, palette: Palette, hex: boolean): void {
  const { x0, y0, width, height, answers } = placements;
  const [left, top] = toCanvas(view, out, ...toPlane(x0, y0, hex));
  const [right, bottom] = toCanvas(view, out, ...toPlane(x0 + width, y0 + height, hex));
  const reach = hex ? view.scale : 1;
  const colours = Array.from({ length: 6 }, (_, answer) => colourOfPlacement(answer, palette));
  const [px0, px1] = [Math.max(0, Math.floor(left - reach)), Math.min(out.width, Math.ceil(right + reach))];
  const pixel = (px: number, py: number, x: number, y: number) => {
    if (x < x0 || y < y0 || x >= x0 + width || y >= y0 + height) return;
    const answer = answers[(y - y0) * width + x - x0]!;
    const alpha = opacity(answer, px, py);
    if (alpha > 0) out.blendAt(py * out.width + px, colours[answer]!, alpha);
  };
  const columns = Int32Array.from({ length: Math.max(0, px1 - px0) }, (_, i) => cellAt(view, out, px0 + i, 0, false)[0]);
  for (let py = Math.max(0, Math.floor(top - reach)); py < Math.min(out.height, Math.ceil(bottom + reach)); ++py) {
    const [, row] = cellAt(view, out, px0, py, false);
    for (let px = px0; px < px1; ++px) {
      if (hex) pixel(px, py, ...cellAt(view, out, px, py, true));
      else pixel(px, py, columns[px - px0]!, row);
    }
  }
}

function cellAt(view: View, out: Pixels, px: number, py: number, hex: boolean): [number, number] {
  const [x, y] = fromPlane(...toWorld(view, out, px + 0.5, py + 0.5), hex);
  return [Math.floor(x), Math.floor(y)];
}

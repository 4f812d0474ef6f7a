// Colours of the map: safe for the colour-blind (Okabe and Ito), in a light and a dark set.
//
// A colour is 0xAABBGGRR, as a little-endian pixel of ImageData.

export function rgb(hex: string): number {
  const value = parseInt(hex.slice(1), 16);
  return (0xff000000 | ((value & 0xff) << 16) | (value & 0xff00) | (value >> 16)) >>> 0;
}

export function hexOf(colour: number): string {
  const part = (shift: number) => ((colour >> shift) & 255).toString(16).padStart(2, '0');
  return `#${part(0)}${part(8)}${part(16)}`;
}

// The colour `t` of the way from a to b.
export function mix(a: number, b: number, t: number): number {
  const of = (shift: number) => Math.round(((a >> shift) & 255) * (1 - t) + ((b >> shift) & 255) * t) << shift;
  return (0xff000000 | of(16) | of(8) | of(0)) >>> 0;
}

export interface Palette {
  outside: number;
  free: number;
  wall: number;
  grid: number;
  blocked: number;
  open: number;
  dear: number;
  ghost: number;
  accent: number;
  ink: number;
  body: number;
  start: number;
  goal: number;
  openSet: number;
  closedSet: number;
}

const light: Palette = {
  outside: rgb('#e3e7eb'),
  free: rgb('#fbfcfd'),
  wall: rgb('#47525e'),
  grid: rgb('#dde2e7'),
  blocked: rgb('#7d6a58'),
  open: rgb('#b5dcc3'),
  dear: rgb('#d98c2b'),
  ghost: rgb('#d55e00'),
  accent: rgb('#0072b2'),
  ink: rgb('#16202a'),
  body: rgb('#8a7fa8'),
  start: rgb('#009e73'),
  goal: rgb('#d55e00'),
  openSet: rgb('#e6b800'),
  closedSet: rgb('#56b4e9'),
};

const dark: Palette = {
  outside: rgb('#0d1218'),
  free: rgb('#1a222b'),
  wall: rgb('#67727e'),
  grid: rgb('#26303a'),
  blocked: rgb('#a58b6f'),
  open: rgb('#2a5c44'),
  dear: rgb('#b0701c'),
  ghost: rgb('#ff8a3d'),
  accent: rgb('#56b4e9'),
  ink: rgb('#f2f5f7'),
  body: rgb('#9d90c4'),
  start: rgb('#2cc79a'),
  goal: rgb('#ff8a3d'),
  openSet: rgb('#f0d442'),
  closedSet: rgb('#2f7fb5'),
};

export function paletteOf(theme: 'light' | 'dark'): Palette {
  return theme === 'dark' ? dark : light;
}

// States of an agent, as the map colours them. The order is that of the numbers sent to the worker.
// In place of a state: the agent and its path are not drawn.
export const hiddenState = 255;

export const agentStates = ['none', 'settled', 'replanned', 'improved', 'invalidated', 'unreachable', 'partial', 'blocked'] as const;
export type AgentStateName = (typeof agentStates)[number];

export const agentColours: Record<'light' | 'dark', Record<AgentStateName, string>> = {
  light: {
    none: '#8994a0',
    settled: '#0072b2',
    replanned: '#e69f00',
    improved: '#009e73',
    invalidated: '#d55e00',
    unreachable: '#b5498c',
    partial: '#3d9bd3',
    blocked: '#16202a',
  },
  dark: {
    none: '#7d8893',
    settled: '#56b4e9',
    replanned: '#e69f00',
    improved: '#2cc79a',
    invalidated: '#ff7a33',
    unreachable: '#e38fc3',
    partial: '#9bd3f5',
    blocked: '#f2f5f7',
  },
};

// A colour for the number of an obstacle or a component: even steps round the wheel at one lightness.
export function colourOf(index: number, theme: 'light' | 'dark'): number {
  const hue = (index * 137.508) % 360;
  const [s, l] = theme === 'dark' ? [0.42, 0.5] : [0.45, 0.58];
  const part = (n: number) => {
    const k = (n + hue / 30) % 12;
    return Math.round(255 * (l - s * Math.min(l, 1 - l) * Math.max(-1, Math.min(k - 3, 9 - k, 1))));
  };
  return (0xff000000 | (part(4) << 16) | (part(8) << 8) | part(0)) >>> 0;
}

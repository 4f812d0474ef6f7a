// Small drawings of 16 x 16, in the colour of the text.
const paths: Record<string, string> = {
  sun: 'M8 4.8a3.2 3.2 0 1 0 0 6.4 3.2 3.2 0 0 0 0-6.4zM8 1v1.6M8 13.4V15M1 8h1.6M13.4 8H15M3 3l1.2 1.2M11.8 11.8 13 13M13 3l-1.2 1.2M4.2 11.8 3 13',
  moon: 'M13.5 9.6A5.8 5.8 0 0 1 6.4 2.5 5.8 5.8 0 1 0 13.5 9.6z',
  pointer: 'M3 2l10 5-4.4 1.4L7.2 13z',
  box: 'M3 4h10v8H3z',
  disc: 'M8 2.8a5.2 5.2 0 1 0 0 10.4A5.2 5.2 0 0 0 8 2.8z',
  polygon: 'M8 2.5 13.5 7l-2.2 6.2H4.7L2.5 7z',
  wall: 'M3.2 12.8 12.8 3.2M4.8 14.2l9.4-9.4M1.8 11.2l9.4-9.4',
  agent: 'M8 2.5a2.6 2.6 0 1 0 0 5.2 2.6 2.6 0 0 0 0-5.2zM3 14c.4-3 2.3-4.6 5-4.6s4.6 1.6 5 4.6',
  goal: 'M4 14V2.5h8.5L10 5.6l2.5 3.2H4',
  search: 'M7 2.8a4.2 4.2 0 1 0 0 8.4 4.2 4.2 0 0 0 0-8.4zM10.2 10.2 14 14',
  undo: 'M6 3 2.8 6.2 6 9.4M3 6.2h6.4a3.6 3.6 0 0 1 0 7.2H6',
  fit: 'M2.5 6V2.5H6M10 2.5h3.5V6M13.5 10v3.5H10M6 13.5H2.5V10',
  plus: 'M8 3v10M3 8h10',
  minus: 'M3 8h10',
  play: 'M4.5 2.8v10.4L13 8z',
  pause: 'M5 3v10M11 3v10',
  next: 'M3.5 3 9 8l-5.5 5zM12 3v10',
  back: 'M12.5 3 7 8l5.5 5zM4 3v10',
  first: 'M12.5 3 6 8l6.5 5zM3.5 3v10',
  last: 'M3.5 3 10 8l-6.5 5zM12.5 3v10',
  copy: 'M5.5 5.5h8v8h-8zM10.5 5.5v-3h-8v8h3',
  door: 'M4 14V2h8v12M2 14h12M10 8v.6',
  bin: 'M3 4.5h10M6 4.5V3h4v1.5M4.5 4.5l.6 9h5.8l.6-9',
  walk: 'M8.6 2a1.2 1.2 0 1 0 0 2.4 1.2 1.2 0 0 0 0-2.4zM5 8l2-2.4 2.4.8.8 2 2 .8M7.4 6.4 7 9.6l2.4 2L10 14M7 9.6 5.6 12 4 14',
};

export function Icon({ name }: { name: string }) {
  return (
    <svg class="glyph" width="16" height="16" viewBox="0 0 16 16" aria-hidden="true">
      <path d={paths[name]} fill="none" stroke="currentColor" stroke-width="1.5" stroke-linejoin="round" stroke-linecap="round" />
    </svg>
  );
}

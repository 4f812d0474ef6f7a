// A small chart over time.
import { useEffect, useRef } from 'preact/hooks';
import uPlot from 'uplot';
import { theme } from '../state/theme';

export interface Line {
  label: string;
  colour: string;
  dash?: number[];
}

function options(width: number, lines: Line[], unit: string, ink: string, faint: string): uPlot.Options {
  const axis = { stroke: ink, grid: { stroke: faint, width: 1 }, ticks: { show: false }, font: '11px system-ui, sans-serif' };
  return {
    width,
    height: 92,
    padding: [6, 4, 0, 0],
    cursor: { y: false, points: { size: 5 } },
    legend: { show: false },
    scales: { y: { range: (_self, _low, high) => [0, Math.max(1e-9, high * 1.1) || 1] } },
    axes: [
      { ...axis, size: 20, space: 60 },
      { ...axis, size: 42, space: 26, values: (_self, ticks) => ticks.map((tick) => `${+tick.toPrecision(3)}${unit}`) },
    ],
    series: [{}, ...lines.map(({ label, colour, dash }) => ({ label, stroke: colour, width: 1.5, dash, points: { show: false } }))],
  };
}

export function Chart({ title, lines, data, unit = '' }: { title: string; lines: Line[]; data: number[][]; unit?: string }) {
  const frame = useRef<HTMLDivElement>(null);
  const plot = useRef<uPlot | undefined>(undefined);
  const look = theme.value;
  useEffect(() => {
    const element = frame.current!;
    const style = getComputedStyle(element);
    const made = new uPlot(
      options(element.clientWidth, lines, unit, style.getPropertyValue('--faint'), style.getPropertyValue('--line')),
      data as uPlot.AlignedData,
      element,
    );
    plot.current = made;
    const observer = new ResizeObserver(() => made.setSize({ width: element.clientWidth, height: 92 }));
    observer.observe(element);
    return () => {
      observer.disconnect();
      made.destroy();
    };
  }, [look]);
  useEffect(() => plot.current?.setData(data as uPlot.AlignedData), [data]);
  const last = data.map((column) => column.at(-1));
  return (
    <figure class="chart">
      <figcaption>
        <b>{title}</b>
        {lines.map(({ label, colour }, i) => (
          <span key={label}>
            <i style={{ background: colour }} />
            {label} <b>{last[i + 1] === undefined ? '–' : `${+last[i + 1]!.toPrecision(3)}${unit}`}</b>
          </span>
        ))}
      </figcaption>
      <div ref={frame} />
    </figure>
  );
}

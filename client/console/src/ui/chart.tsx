// A small chart over time.
import { useEffect, useRef } from 'preact/hooks';
import uPlot from 'uplot';
import { theme } from '../state/theme';

const windowSeconds = 150;

export interface Line {
  label: string;
  colour: string;
  dash?: number[];
}

function options(width: number, lines: Line[], unit: string, least: number, ink: string, faint: string): uPlot.Options {
  const axis = { stroke: ink, grid: { stroke: faint, width: 1 }, ticks: { show: false }, font: '11px system-ui, sans-serif' };
  return {
    width,
    height: 92,
    padding: [6, 14, 0, 0],
    cursor: { y: false, points: { size: 5 } },
    legend: { show: false },
    scales: {
      x: { range: (_self, _low, high) => [high - windowSeconds, high] },
      y: { range: (_self, _low, high) => [0, Math.max(least, (high || 0) * 1.1)] },
    },
    axes: [
      { ...axis, size: 20, space: 70, splits: (_self, _axis, _low, high) => [high - 120, high - 60, high], values: () => ['-2 min', '-1 min', 'now'] },
      { ...axis, size: 54, space: 26, values: (_self, ticks) => ticks.map((tick) => `${+tick.toPrecision(3)}${unit}`) },
    ],
    series: [{}, ...lines.map(({ label, colour, dash }) => ({ label, stroke: colour, width: 1.5, dash, points: { show: false } }))],
  };
}

export interface ChartProps {
  title: string;
  lines: Line[];
  data: number[][]; // Seconds, then a column for each line.
  unit?: string;
  least?: number; // The scale reaches at least so far.
}

export function Chart({ title, lines, data, unit = '', least = 1 }: ChartProps) {
  const frame = useRef<HTMLDivElement>(null);
  const plot = useRef<uPlot | undefined>(undefined);
  const look = theme.value;
  useEffect(() => {
    const element = frame.current!;
    const style = getComputedStyle(element);
    const made = new uPlot(
      options(element.clientWidth, lines, unit, least, style.getPropertyValue('--faint'), style.getPropertyValue('--line')),
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

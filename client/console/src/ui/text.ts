// Numbers as people read them.

export function count(value: bigint | number): string {
  return Number(value).toLocaleString('en-US', { maximumFractionDigits: 0 });
}

export function rate(value: number): string {
  if (value === 0) return '0';
  return value < 10 ? value.toFixed(1) : count(value);
}

export function bytes(value: bigint | number): string {
  let size = Number(value);
  for (const unit of ['B', 'KiB', 'MiB', 'GiB']) {
    if (size < 1024 || unit === 'GiB') return `${size < 10 && unit !== 'B' ? size.toFixed(1) : Math.round(size)} ${unit}`;
    size /= 1024;
  }
  return '';
}

export function length(value: number): string {
  return value.toFixed(Math.abs(value) < 1000 ? 2 : 0);
}

export function millis(value: number): string {
  return value < 10 ? `${value.toFixed(2)} ms` : value < 1000 ? `${value.toFixed(0)} ms` : `${(value / 1000).toFixed(1)} s`;
}

export function frames(value: bigint): string {
  return `${count(value)} ${value === 1n ? 'frame' : 'frames'}`;
}

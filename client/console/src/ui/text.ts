// Numbers as people read them.

export function count(value: bigint | number): string {
  return value.toLocaleString('en-US', { maximumFractionDigits: 0 });
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

// How long ago a moment was.
export function ago(at: number): string {
  const seconds = Math.max(0, (Date.now() - at) / 1000);
  if (seconds < 90) return `${Math.round(seconds)} s ago`;
  if (seconds < 5400) return `${Math.round(seconds / 60)} min ago`;
  return seconds < 129_600 ? `${Math.round(seconds / 3600)} h ago` : new Date(at).toLocaleDateString();
}

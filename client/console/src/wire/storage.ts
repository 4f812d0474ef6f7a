// Texts that the browser keeps for this page: until the tab is closed, or for longer. If the browser allows neither, they are kept
// until the page is loaded again.
const fallback = new Map<string, string>();

export type Kept = 'tab' | 'browser';

function storage(kept: Kept): Storage {
  return kept === 'tab' ? sessionStorage : localStorage;
}

// Returns what was kept under a key; empty: nothing.
export function recall(key: string, kept: Kept = 'tab'): string {
  try {
    return storage(kept).getItem(key) ?? '';
  } catch {
    return fallback.get(key) ?? '';
  }
}

export function keep(key: string, text: string, kept: Kept = 'tab'): void {
  fallback.set(key, text);
  try {
    storage(kept).setItem(key, text);
  } catch {
    // Not allowed, or no room: the page has it.
  }
}

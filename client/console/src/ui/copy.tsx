// A button that copies a text, and says so.
import { useState } from 'preact/hooks';
import { Icon } from './icon';

export function Copy({ label, text }: { label: string; text: () => string }) {
  const [done, setDone] = useState(false);
  const copy = async () => {
    const what = text();
    try {
      await navigator.clipboard.writeText(what);
    } catch {
      prompt('Copy this:', what);
      return;
    }
    setDone(true);
    setTimeout(() => setDone(false), 1500);
  };
  return (
    <button class="quiet copy" title={`Copy as ${label}`} onClick={copy}>
      <Icon name="copy" /> {done ? 'Copied' : label}
    </button>
  );
}

// Light or dark: as the system says, until the reader chooses.
import { computed, effect, signal } from '@preact/signals';
import { keep, recall } from '../wire/storage';

const dark = matchMedia('(prefers-color-scheme: dark)');
const system = signal(dark.matches);
const chosen = signal(recall('repath-theme', 'browser'));
dark.addEventListener('change', () => (system.value = dark.matches));

export const theme = computed<'light' | 'dark'>(() =>
  chosen.value === 'dark' || (chosen.value !== 'light' && system.value) ? 'dark' : 'light',
);

export function switchTheme(): void {
  chosen.value = theme.value === 'dark' ? 'light' : 'dark';
  keep('repath-theme', chosen.value, 'browser');
}

effect(() => {
  document.documentElement.dataset.theme = theme.value;
});

// Light or dark: as the system says, until the reader chooses.
import { computed, effect, signal } from '@preact/signals';

const dark = matchMedia('(prefers-color-scheme: dark)');
const system = signal(dark.matches);
const chosen = signal(localStorage.getItem('repath-theme') ?? '');
dark.addEventListener('change', () => (system.value = dark.matches));

export const theme = computed<'light' | 'dark'>(() =>
  chosen.value === 'dark' || (chosen.value !== 'light' && system.value) ? 'dark' : 'light',
);

export function switchTheme(): void {
  chosen.value = theme.value === 'dark' ? 'light' : 'dark';
  localStorage.setItem('repath-theme', chosen.value);
}

effect(() => {
  document.documentElement.dataset.theme = theme.value;
});

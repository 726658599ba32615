import { computed, signal } from '@preact/signals';

export const themes = ['system', 'light', 'dark'] as const;
export type Theme = (typeof themes)[number];

const KEPT = 'theme';
const asTheme = (text: string | null): Theme => themes.find((known) => known === text) ?? 'system';

/** The colour scheme that the person chose. Every browser keeps its own. */
export const theme = signal<Theme>(asTheme(localStorage.getItem(KEPT)));

const darkSystem = matchMedia('(prefers-color-scheme: dark)');
const isSystemDark = signal(darkSystem.matches);
darkSystem.addEventListener('change', ({ matches }) => {
  isSystemDark.value = matches;
});

/** The colour scheme that the pages show. */
export const isDark = computed(() =>
  theme.value === 'system' ? isSystemDark.value : theme.value === 'dark',
);

export function chooseTheme(next: Theme): void {
  theme.value = next;
  if (next === 'system') localStorage.removeItem(KEPT);
  else localStorage.setItem(KEPT, next);
  applyTheme();
}

export function applyTheme(): void {
  const { dataset } = document.documentElement;
  if (theme.value === 'system') delete dataset['theme'];
  else dataset['theme'] = theme.value;
}

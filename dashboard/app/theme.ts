import { computed, signal } from '@preact/signals';

export const themes = ['system', 'light', 'dark'] as const;
type Theme = (typeof themes)[number];

/** The item of the browser's storage that keeps the choice. */
const STORED = 'theme';
const asTheme = (text: string | null): Theme => themes.find((known) => known === text) ?? 'system';

/** The colour scheme that the person chose. Every browser keeps its own. */
export const theme = signal<Theme>(asTheme(localStorage.getItem(STORED)));

const darkSystem = matchMedia('(prefers-color-scheme: dark)');
const isSystemDark = signal(darkSystem.matches);
darkSystem.addEventListener('change', ({ matches }) => {
  isSystemDark.value = matches;
});

/** The colour scheme that the pages show. */
export const isDark = computed(() =>
  theme.value === 'system' ? isSystemDark.value : theme.value === 'dark',
);

/** Changes the colour scheme, and keeps the choice. */
export function chooseTheme(next: Theme): void {
  theme.value = next;
  if (next === 'system') localStorage.removeItem(STORED);
  else localStorage.setItem(STORED, next);
  applyTheme();
}

/** Writes the choice into the document, where the style sheet finds it. */
export function applyTheme(): void {
  const { dataset } = document.documentElement;
  if (theme.value === 'system') delete dataset['theme'];
  else dataset['theme'] = theme.value;
}

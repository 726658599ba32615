import { signal } from '@preact/signals';

/** The item of the browser's storage that keeps the folded groups. */
const STORED = 'folded-groups';

/** The groups of the navigation whose entries are hidden. Every browser keeps its own. */
const folded = signal<ReadonlySet<string>>(new Set((localStorage.getItem(STORED) ?? '').split(' ')));

export const isFolded = (id: string): boolean => folded.value.has(id);

/** Hides the entries of a group, or shows them. */
export function setFolded(id: string, hides: boolean): void {
  if (folded.value.has(id) === hides) return;
  const next = new Set(folded.value);
  if (hides) next.add(id);
  else next.delete(id);
  folded.value = next;
  localStorage.setItem(STORED, [...next].join(' ').trim());
}

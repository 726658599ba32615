import { signal } from '@preact/signals';

const KEPT = 'folded-groups';

/** The groups of the navigation whose entries are hidden. Every browser keeps its own. */
const folded = signal<ReadonlySet<string>>(new Set((localStorage.getItem(KEPT) ?? '').split(' ')));

export const isFolded = (id: string): boolean => folded.value.has(id);

export function setFolded(id: string, isNow: boolean): void {
  if (folded.value.has(id) === isNow) return;
  const next = new Set(folded.value);
  if (isNow) next.add(id);
  else next.delete(id);
  folded.value = next;
  localStorage.setItem(KEPT, [...next].join(' ').trim());
}

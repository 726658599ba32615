import type { CatalogEntry } from '../catalog/catalog.ts';
import type { Snapshot } from '../snapshot.ts';

/** The chat model that examples name: one that answers here, of the Free plan if there is one. */
export function exampleModel({ catalog }: Snapshot): string {
  const isFree = ({ model }: CatalogEntry): boolean => model.plan === 'free';
  const chat = catalog.entries.filter(({ model }) => model.kind === 'chat');
  const answering = chat.filter(({ targets }) => targets.length > 0);
  const entry = answering.find(isFree) ?? answering[0] ?? chat[0];
  return entry?.model.id ?? 'MODEL';
}

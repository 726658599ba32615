import type { CatalogEntry } from '../catalog/catalog.ts';
import type { ModelKind } from '../catalog/model.ts';
import type { Snapshot } from '../snapshot.ts';

/** The model that examples name: one that answers here, of the Free plan if there is one. */
export function exampleModel({ catalog }: Snapshot, kind: ModelKind = 'chat'): string {
  const isFree = ({ model }: CatalogEntry): boolean => model.plan === 'free';
  const ofKind = catalog.entries.filter(({ model }) => model.kind === kind);
  const answering = ofKind.filter(({ targets }) => targets.length > 0);
  const entry = answering.find(isFree) ?? answering[0] ?? ofKind[0];
  return entry?.model.id ?? 'MODEL';
}

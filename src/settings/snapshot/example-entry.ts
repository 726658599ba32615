import type { ModelKind } from '../../translation/canonical/model-kind.ts';
import type { CatalogEntry } from '../catalog/catalog.ts';
import type { Snapshot } from './snapshot.ts';

/**
 * Chooses the model for examples. It prefers models that real providers serve, then models of the Free plan.
 */
export function exampleEntry({ catalog }: Snapshot, kind: ModelKind = 'chat'): CatalogEntry | undefined {
  const answering = catalog.entries.filter(({ model, targets }) => model.kind === kind && targets.length > 0);
  const live = answering.filter(({ targets }) => targets[0]!.provider.mode === 'live');
  const best = live.length > 0 ? live : answering;
  return best.find(({ model }) => model.plan === 'free') ?? best[0];
}

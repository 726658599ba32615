import type { CatalogEntry } from '../catalog/catalog.ts';
import type { CountedModel } from '../tokens/token-family.ts';

/** Tokens are counted as the first of a model's targets counts them. */
export function countedAs({ model, targets }: CatalogEntry): CountedModel {
  const [first] = targets;
  return {
    upstreamModel: first?.upstreamModel ?? model.id,
    isSimulated: first?.provider.mode === 'simulated',
  };
}

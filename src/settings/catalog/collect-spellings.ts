import type { Steps } from '../../base/lib/in-slices.ts';
import type { CatalogEntry } from './catalog.ts';
import type { PlacedModel } from './place-models.ts';

/** A model of the catalog, with the place of its row. */
export type BuiltModel = { placed: PlacedModel; entry: CatalogEntry };

/** Collects the ids and aliases of all models. A name that a file gives belongs to the file. */
export function* collectSpellings(models: readonly BuiltModel[]): Steps<Map<string, CatalogEntry>> {
  const spellings = new Map<string, CatalogEntry>();
  for (const { placed, entry } of storedLast(models)) {
    for (const spelling of new Set([entry.model.id, ...entry.aliases])) {
      const owner = spellings.get(spelling);
      if (owner)
        placed.report(['id'], `has the name '${spelling}', which the model '${owner.model.id}' already has`);
      else spellings.set(spelling, entry);
    }
    yield;
  }
  return spellings;
}

const storedLast = (models: readonly BuiltModel[]): BuiltModel[] => [
  ...models.filter(({ placed }) => !placed.stored),
  ...models.filter(({ placed }) => placed.stored),
];

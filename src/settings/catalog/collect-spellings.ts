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
      if (owner) reportTaken(placed, spelling, owner);
      else spellings.set(spelling, entry);
    }
    yield;
  }
  return spellings;
}

/** Reports a name at its place in the row. A name that the gateway derives from the id has none there. */
function reportTaken({ model, report }: PlacedModel, spelling: string, { model: owner }: CatalogEntry): void {
  const at = model.aliases.indexOf(spelling);
  const kind = spelling === owner.id ? 'the id' : 'an alias';
  report(at < 0 ? ['id'] : ['aliases', at], `'${spelling}' is already ${kind} of the model '${owner.id}'`);
}

const storedLast = (models: readonly BuiltModel[]): BuiltModel[] => [
  ...models.filter(({ placed }) => !placed.stored),
  ...models.filter(({ placed }) => placed.stored),
];

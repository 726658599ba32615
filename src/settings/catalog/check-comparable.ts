import { didYouMean } from '../../base/schema/did-you-mean.ts';
import type { CatalogEntry } from './catalog.ts';
import type { BuiltModel } from './collect-spellings.ts';

/** Reports the comparable models of a row that cannot substitute its model. */
export function checkComparable(
  { placed: { model, report }, entry }: BuiltModel,
  spellings: ReadonlyMap<string, CatalogEntry>,
): void {
  for (const [index, id] of model.comparable.entries()) {
    const place = ['comparable', index];
    const comparable = spellings.get(id);
    if (!comparable)
      report(place, `must be the id of a model; there is no '${id}'${didYouMean(id, spellings.keys())}`);
    else if (comparable === entry) report(place, 'must be another model');
    else if (comparable.model.kind !== model.kind)
      report(place, `must be of kind ${model.kind} like the model itself`);
  }
}

import type { CatalogEntry } from '../../settings/catalog/catalog.ts';
import { substitutesFor } from '../../settings/catalog/substitutes-for.ts';
import { type ModelQuestion, refuseModel } from './refuse-model.ts';

/** Lists the models that may answer instead of the requested one and that this caller may use, best first. */
export function openSubstitutes(question: ModelQuestion): CatalogEntry[] {
  const { entry, snapshot } = question;
  const { catalog } = snapshot;
  return substitutesFor({
    entry,
    entries: catalog.entries,
    find: (name) => catalog.find(name),
    isOpenToCaller: (candidate) => refuseModel({ ...question, entry: candidate }) === undefined,
  });
}

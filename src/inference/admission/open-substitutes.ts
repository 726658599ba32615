import type { CatalogEntry } from '../../settings/catalog/catalog.ts';
import { substitutesFor } from '../../settings/catalog/substitutes.ts';
import { type ModelQuestion, refuseModel } from './model-admission.ts';

/** Models that may answer in the place of the one that was asked for, and that this caller may have; best first. */
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

import { type CatalogEntry, isAvailable } from '../../settings/catalog/catalog.ts';
import type { Viewer } from './model-view.ts';

/**
 * Selects the models that a caller may know. In pay-as-you-go mode these are only models with exact delivery.
 */
export const shownIn = (payg: boolean) => (entry: CatalogEntry) => !payg || entry.model.delivery === 'exact';

/** Selects the listed models. Models without a provider are listed only if the operator says so. */
export const listedIn =
  ({ payg, listsUnavailable }: Pick<Viewer, 'payg' | 'listsUnavailable'>) =>
  (entry: CatalogEntry) =>
    shownIn(payg)(entry) && (listsUnavailable || isAvailable(entry));

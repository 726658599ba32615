import { type CatalogEntry, isAvailable } from '../../settings/catalog/catalog.ts';
import type { Viewer } from './model-view.ts';

/** Reports whether a caller's list can have a model. Pay-as-you-go mode lists only exact delivery. */
export const isVisible = ({ model }: CatalogEntry, payg: boolean): boolean =>
  !payg || model.delivery === 'exact';

/** Reports whether a model is listed. A model without a provider is listed only if the operator says so. */
export const isListed = (
  entry: CatalogEntry,
  { payg, listsUnavailable }: Pick<Viewer, 'payg' | 'listsUnavailable'>,
): boolean => isVisible(entry, payg) && (listsUnavailable || isAvailable(entry));

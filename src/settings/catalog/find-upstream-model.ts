import type { Target } from '../hosts/target.ts';
import type { Catalog, CatalogEntry } from './catalog.ts';

/** The date with which vendors end the names of a model's versions. */
const DATE = /[-@]\d{8}$/;

/** Returns the name of a model without the date of its version. */
export const undated = (name: string): string => name.replace(DATE, '');

/**
 * Finds the model with this name at the provider, else at any provider, else with this public name. A dated
 * name finds the model without the date, and the reverse.
 */
export function findUpstreamModel(
  name: string,
  catalog: Pick<Catalog, 'entries' | 'find'>,
  providerId?: string,
): CatalogEntry | undefined {
  const entryWith = (isWanted: (target: Target) => boolean) =>
    catalog.entries.find(({ targets }) => targets.some(isWanted));
  return (
    entryWith(({ provider, upstreamModel }) => provider.id === providerId && upstreamModel === name) ??
    entryWith(({ upstreamModel }) => upstreamModel === name) ??
    catalog.find(name) ??
    entryWith(({ upstreamModel }) => undated(upstreamModel) === undated(name)) ??
    catalog.find(undated(name))
  );
}

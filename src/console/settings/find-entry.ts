import type { CatalogEntry } from '../../settings/catalog/catalog.ts';
import type { Snapshot } from '../../settings/snapshot/snapshot.ts';

/** Finds a model by its id or one of its aliases, hidden or not. */
export const findEntry = (snapshot: Snapshot, name: string): CatalogEntry | undefined =>
  snapshot.catalog.find(name) ?? findHidden(snapshot, name);

/** Finds a hidden model by its id or one of its aliases. */
export const findHidden = ({ catalog }: Snapshot, name: string): CatalogEntry | undefined =>
  catalog.hidden.find(({ model, aliases }) => model.id === name || aliases.includes(name));

import type { CatalogProblem } from '../catalog/catalog-source.ts';
import type { ConfigProblem } from '../config/config-problem.ts';
import type { StoredRows } from '../stored/stored-rows.ts';
import type { Snapshot } from './snapshot.ts';

/** A problem of a stored model, with the path of its field. */
export type StoredProblem = CatalogProblem & { id: string };

/**
 * Decides whether the stored rows are taken, with the snapshot that they make and the problems of their
 * models.
 */
export type AcceptStored = (next: Snapshot, problems: readonly StoredProblem[]) => Promise<boolean>;

/** Takes stored rows into the snapshot that is served. */
export type StoredRowsTaker = {
  readonly current: Snapshot;
  takeStored(stored: StoredRows, accept?: AcceptStored): Promise<{ problems: ConfigProblem[] } | undefined>;
};

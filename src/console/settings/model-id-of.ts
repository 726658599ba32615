import type { Snapshot } from '../../settings/snapshot/snapshot.ts';
import { findEntry } from './find-entry.ts';

/** Returns the id of the model with a name, hidden or not. */
export const modelIdOf = (snapshot: Snapshot, name: string): string | undefined =>
  snapshot.rows().has(name) ? name : findEntry(snapshot, name)?.model.id;

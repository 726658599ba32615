/** An upgrade of a store's schema. The creation of a new store is none. */
export type Migrated = { from: number; to: number; durationMs: number };

/**
 * Returns the upgrade from schema `from` to schema `to`. Returns undefined if the store was new or current.
 */
export const migratedSince = (startedAt: number, { from, to }: { from: number; to: number }) =>
  from === 0 || from >= to ? undefined : { from, to, durationMs: Math.round(performance.now() - startedAt) };

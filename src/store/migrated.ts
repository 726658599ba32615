/** An upgrade of a store's schema. The creation of a store does not count as one. */
export type Migrated = { from: number; to: number; durationMs: number };

/**
 * Returns the upgrade from schema `from` to schema `to`. Returns undefined if the store was new or current.
 */
export function migratedSince(
  startedAt: number,
  { from, to }: { from: number; to: number },
): Migrated | undefined {
  const isNew = from === 0;
  if (isNew || from >= to) return undefined;
  return { from, to, durationMs: Math.round(performance.now() - startedAt) };
}

/** An upgrade of a store's schema. The creation of a store does not count as one. */
export type SchemaUpgrade = { from: number; to: number; durationMs: number };

/** Returns the upgrade from schema `from` to schema `to`. Undefined if the store was new or current. */
export function upgradeSince(
  startedAt: number,
  { from, to }: { from: number; to: number },
): SchemaUpgrade | undefined {
  const isNew = from === 0;
  if (isNew || from >= to) return undefined;
  return { from, to, durationMs: Math.round(performance.now() - startedAt) };
}

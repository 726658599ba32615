/**
 * Returns the stop sequences that a wire accepts. The gateway looks for all stop sequences itself and ends
 * the answer at the others. Returns undefined instead of an empty list, since most vendors refuse one.
 */
export function stopsForWire(
  stops: readonly string[] = [],
  { limit, takes = isNotEmpty }: { limit?: number; takes?: (stop: string) => boolean } = {},
): string[] | undefined {
  const accepted = stops.filter(takes).slice(0, limit);
  return accepted.length > 0 ? accepted : undefined;
}

const isNotEmpty = (stop: string): boolean => stop !== '';

/**
 * Returns the stop sequences that a wire accepts. The gateway looks for all stop sequences itself and ends
 * the answer at the others. Returns undefined instead of an empty list, since most vendors refuse one.
 */
export function stopsForWire(
  asked: readonly string[] = [],
  { limit, takes = isSomething }: { limit?: number; takes?: (stop: string) => boolean } = {},
): string[] | undefined {
  const stops = asked.filter(takes).slice(0, limit);
  return stops.length > 0 ? stops : undefined;
}

const isSomething = (stop: string): boolean => stop !== '';

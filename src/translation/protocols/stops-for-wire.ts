/**
 * The stops that a wire can be told of; at the others the gateway ends the answer itself, since it looks for all of them. Undefined where
 * there is none to tell, since most vendors refuse an empty list.
 */
export function stopsForWire(
  asked: readonly string[] = [],
  { most, takes = isSomething }: { most?: number; takes?: (stop: string) => boolean } = {},
): string[] | undefined {
  const stops = asked.filter(takes).slice(0, most);
  return stops.length > 0 ? stops : undefined;
}

const isSomething = (stop: string): boolean => stop !== '';

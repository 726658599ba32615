/** Matches the tags around a block. */
const TAG = /<(\/?)([a-z][a-z_-]+)>/gi;

/**
 * Removes blocks that agents add to a user's text, for example `<system-reminder>…</system-reminder>`.
 * They name tools and are no orders.
 */
export function withoutContext(text: string): string {
  const tags = [...text.matchAll(TAG)].map(({ 0: tag, 1: slash, 2: name = '', index }) => ({
    name,
    opens: slash === '',
    start: index,
    end: index + tag.length,
  }));
  // The next end of a block of each name, from the last tag to the first.
  const nextEnds = new Map<string, number>();
  const blockEnds = tags.toReversed().map(({ name, opens, end }) => {
    if (!opens) nextEnds.set(name, end);
    return opens ? nextEnds.get(name) : undefined;
  });
  let rest = '';
  let from = 0;
  for (const [index, { start }] of tags.entries()) {
    const blockEnd = blockEnds.at(-1 - index);
    if (blockEnd === undefined || start < from) continue;
    rest += text.slice(from, start);
    from = blockEnd;
  }
  return rest + text.slice(from);
}

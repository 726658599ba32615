/** Matches the tags around a block. An opening tag can have attributes. */
const TAG = /<(\/?)([a-z][\w:.-]+)(?:\s[^<>]*)?>/gi;

/**
 * Removes blocks that agents add to a user's text, for example `<system-reminder>…</system-reminder>`.
 * They name tools and are no orders.
 */
export function removeAgentBlocks(text: string): string {
  let rest = '';
  let from = 0;
  for (const { start, end } of blocksIn(text)) {
    if (start < from) continue; // inside the block before
    rest += text.slice(from, start);
    from = end;
  }
  return rest + text.slice(from);
}

type Block = { start: number; end: number };

/**
 * Finds the closed blocks in the order of their beginnings.
 * A closing tag ends the latest open block of its name.
 */
function blocksIn(text: string): Block[] {
  const open = new Map<string, number[]>();
  const blocks: Block[] = [];
  for (const { 0: tag, 1: slash, 2: spelling = '', index } of text.matchAll(TAG)) {
    if (tag.endsWith('/>')) continue;
    const name = spelling.toLowerCase();
    const starts = open.get(name) ?? [];
    if (slash === '') {
      starts.push(index);
      open.set(name, starts);
      continue;
    }
    const start = starts.pop();
    if (start !== undefined) blocks.push({ start, end: index + tag.length });
  }
  return blocks.toSorted((one, other) => one.start - other.start);
}

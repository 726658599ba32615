/**
 * Removes blocks that agents add to a user's text, for example `<system-reminder>…</system-reminder>`.
 * They name tools and are no orders.
 */
export function withoutContext(text: string): string {
  const unclosed = new Set<string>();
  let rest = '';
  let from = 0;
  for (const { 0: opening, 1: name = '', index } of text.matchAll(/<([a-z][a-z_-]+)>/gi)) {
    if (index < from || unclosed.has(name)) continue;
    const end = text.indexOf(`</${name}>`, index + opening.length);
    if (end < 0) {
      unclosed.add(name);
      continue;
    }
    rest += text.slice(from, index);
    from = end + name.length + 3;
  }
  return rest + text.slice(from);
}

const PART = /(<!-- generated: ([a-z-]+) -->\n)[\s\S]*?(<!-- \/generated -->\n)/g;

/** The generated parts of a page by name. */
export type GeneratedParts = Readonly<Record<string, () => string>>;

/**
 * Replaces the content of each generated part of a page. The rest of the page is written by hand.
 *
 * @example
 * fillGenerated('<!-- generated: quirks -->\nold\n<!-- /generated -->\n', { quirks: () => 'new\n' });
 */
export function fillGenerated(page: string, parts: GeneratedParts): string {
  const missing = new Set(Object.keys(parts));
  const filled = page.replace(PART, (_, begin: string, name: string, end: string) => {
    const format = parts[name];
    if (!format) throw new Error(`No reference formats the part ${name}.`);
    missing.delete(name);
    return `${begin}${format().trimEnd()}\n${end}`;
  });
  if (missing.size > 0) throw new Error(`The page has no place for ${[...missing].join(', ')}.`);
  return filled;
}

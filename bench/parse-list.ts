/**
 * Parses a list of known names. Throws for a name that is not known.
 *
 * @example
 * parseList('unary, agent', ['unary', 'agent', 'stream']); // → ['unary', 'agent']
 */
export function parseList<Name extends string>(text: string, known: readonly Name[]): Name[] {
  return text.split(',').map((word) => {
    const name = known.find((candidate) => candidate === word.trim());
    if (name === undefined) throw new Error(`'${word}' is not one of ${known.join(', ')}`);
    return name;
  });
}

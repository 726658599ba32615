/** The most tokens of an answer that a body asks for, by the first of the members that is there. */
export function askedOutput(
  value: Readonly<Record<string, unknown>>,
  ceilings: readonly string[],
): number | undefined {
  for (const name of ceilings) {
    const asked = value[name];
    if (typeof asked === 'number') return asked;
  }
  return undefined;
}

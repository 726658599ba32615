/** Returns the output ceiling that a body asks for, from the first of the named members that is present. */
export function requestedCeiling(
  value: Readonly<Record<string, unknown>>,
  ceilings: readonly string[],
): number | undefined {
  for (const name of ceilings) {
    const ceiling = value[name];
    if (typeof ceiling === 'number') return ceiling;
  }
  return undefined;
}

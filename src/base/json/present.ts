/** Drops the members without a value. Null means absent in every dialect. */
export function present<T extends Record<string, unknown>>(
  fields: T,
): { [Key in keyof T]?: NonNullable<T[Key]> } {
  const entries = Object.entries(fields).filter(([, value]) => value != null);
  return Object.fromEntries(entries) as { [Key in keyof T]?: NonNullable<T[Key]> };
}

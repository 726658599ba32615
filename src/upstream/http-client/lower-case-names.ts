/** Returns the header fields under lower-case names. If names differ only in case, the last field counts. */
export function lowerCaseNames(fields: Readonly<Record<string, string>>): Record<string, string> {
  const headers: Record<string, string> = {};
  for (const [name, value] of Object.entries(fields)) headers[name.toLowerCase()] = value;
  return headers;
}

/** Formats JSON data as a Python literal. */
export function pythonOf(value: unknown, depth = 0): string {
  if (value === null || value === undefined) return 'None';
  if (typeof value === 'boolean') return value ? 'True' : 'False';
  if (typeof value !== 'object') return JSON.stringify(value);
  const items = Array.isArray(value)
    ? value.map((item) => pythonOf(item, depth + 1))
    : Object.entries(value).map(
        ([name, member]) => `${JSON.stringify(name)}: ${pythonOf(member, depth + 1)}`,
      );
  const [open, close] = Array.isArray(value) ? '[]' : '{}';
  if (items.length === 0) return `${open}${close}`;
  const inner = '    '.repeat(depth + 1);
  return `${open}\n${items.map((item) => `${inner}${item},\n`).join('')}${'    '.repeat(depth)}${close}`;
}

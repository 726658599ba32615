import { isEmptyObject } from '../../base/lib/is-empty-object.ts';
import { cellText, GAP } from './format-table.ts';

/**
 * Formats an object with one line per field. The names of nested fields are joined with dots.
 *
 * @example
 * formatFields({ id: 'key_1', limits: { rpm: 60 }, tags: [] }); // → 'id          key_1\nlimits.rpm  60\ntags        -'
 */
export function formatFields(value: object): string {
  const fields = flatten(value);
  const width = Math.max(0, ...fields.map(([name]) => name.length));
  return fields.map(([name, text]) => `${name.padEnd(width)}${GAP}${text}`).join('\n');
}

function flatten(value: object, prefix = ''): [name: string, text: string][] {
  return Object.entries(value).flatMap(([name, field]): [string, string][] => {
    if (Array.isArray(field)) return [[prefix + name, cellText(field.map(itemText).join(', '))]];
    if (typeof field !== 'object' || field === null) return [[prefix + name, cellText(field)]];
    return isEmptyObject(field) ? [[prefix + name, cellText(null)]] : flatten(field, `${prefix}${name}.`);
  });
}

const itemText = (item: unknown): string => (typeof item === 'object' ? JSON.stringify(item) : String(item));

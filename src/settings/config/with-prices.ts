import { isScalar, type YAMLMap } from 'yaml';
import {
  addition,
  applyEdits,
  blockName,
  type Edit,
  type Holder,
  memberColumn,
  memberOf,
  memberText,
  pairOf,
  replacement,
  rootHolder,
} from './edit-yaml.ts';
import type { PriceRow } from './price-schema.ts';
import { keyName } from './yaml-places.ts';

/** `issuedAt`: the time at which the prices were issued. */
export type NewPrices = { rows: ReadonlyMap<string, PriceRow>; issuedAt?: string | undefined };

/** Adds a part to a text. Returns undefined if the text is written in a way that the part does not fit. */
type Addition = (text: string) => string | undefined;

/**
 * Writes prices to `catalog.prices` of a configuration. All else stays as it is, with comments, order and
 * placeholders. Returns undefined if the text is written in a way that the function cannot extend.
 */
export function withPrices(source: string, { rows, issuedAt }: NewPrices): string | undefined {
  const additions: Addition[] = Array.from(
    rows,
    ([id, row]) =>
      (text) =>
        withPrice(text, id, row),
  );
  if (issuedAt !== undefined) additions.push((text) => withIssue(text, issuedAt));
  let text: string | undefined = source.replaceAll('\r\n', '\n');
  for (const add of additions) text = text === undefined ? undefined : add(text);
  return source.includes('\r\n') ? text?.replaceAll('\n', '\r\n') : text;
}

function withPrice(text: string, id: string, row: PriceRow): string | undefined {
  const path = ['catalog', 'prices', id];
  let holder = rootHolder(text);
  if (holder === undefined) return undefined;
  for (const [depth, step] of path.entries()) {
    const inner = memberOf(holder, step, text);
    if (inner === undefined) return withRow(text, holder, path.slice(depth), row);
    if (inner === 'other') return undefined;
    holder = inner;
  }
  return withFields(text, holder, row);
}

/** Writes `catalog.prices_issued_at`. */
function withIssue(text: string, issuedAt: string): string | undefined {
  const root = rootHolder(text);
  const catalog = root && memberOf(root, 'catalog', text);
  if (catalog === undefined || catalog === 'other') return undefined;
  const edit = scalarEdit(text, catalog, 'prices_issued_at', issuedAt);
  return edit && applyEdits(text, [edit]);
}

/** Returns the edit that changes a member in its place, or adds it. */
function scalarEdit(text: string, holder: Holder, name: string, value: unknown): Edit | undefined {
  const scalar = JSON.stringify(value);
  const pair = pairOf(holder, name);
  return pair ? replacement(pair, scalar) : addition(text, holder, memberText(name, scalar, holder.isFlow));
}

/** Changes the fields of a price that exists, each in its place, and adds those that it lacks. */
function withFields(text: string, holder: Holder, row: PriceRow): string | undefined {
  if ('map' in holder && isRewritten(holder.map, row)) return rewriteRow(text, holder, row);
  const fields = Object.entries(row);
  const present = fields.filter(([name]) => pairOf(holder, name));
  const missing = fields.filter(([name, value]) => !pairOf(holder, name) && value !== null);
  const edits = [...present, ...missing].map(([name, value]) => scalarEdit(text, holder, name, value));
  return edits.every((edit) => edit !== undefined) ? applyEdits(text, edits) : undefined;
}

/** A row with conditions, and a row that loses a field, is written anew. */
const isRewritten = ({ items }: YAMLMap, row: PriceRow): boolean =>
  row.conditions !== undefined ||
  items.some(({ key, value }) => !isScalar(value) || !Object.hasOwn(row, keyName(key) ?? ''));

/** Replaces a row as a whole. */
function rewriteRow(text: string, holder: { map: YAMLMap; isFlow: boolean }, row: PriceRow): string {
  const [start, end] = holder.map.range!;
  const isBlock = text[end - 1] === '\n';
  return applyEdits(text, [{ start, end, text: rowText(row, holder.isFlow) + (isBlock ? '\n' : '') }]);
}

/** Returns a row as a flow mapping. */
function rowText(row: PriceRow, isFlow: boolean): string {
  const fields = Object.entries(row).filter(([, value]) => value !== null);
  return `{ ${fields.map(([name, value]) => memberText(name, JSON.stringify(value), isFlow)).join(', ')} }`;
}

/** Adds a member with the given path of mappings, and the row in the innermost. */
function withRow(
  text: string,
  holder: Holder,
  [name = '', ...innerNames]: readonly string[],
  row: PriceRow,
): string {
  if (holder.isFlow || innerNames.length === 0) {
    const value = innerNames.reduceRight(
      (inner, innerName) => `{ ${memberText(innerName, inner, holder.isFlow)} }`,
      rowText(row, holder.isFlow),
    );
    return applyEdits(text, [addition(text, holder, memberText(name, value, holder.isFlow))]);
  }
  const column = memberColumn(text, holder);
  const lines = innerNames.map((innerName, depth) => {
    const isLast = depth === innerNames.length - 1;
    const member = isLast
      ? memberText(innerName, rowText(row, holder.isFlow), holder.isFlow)
      : `${blockName(innerName)}:`;
    return ' '.repeat(column + 2 * (depth + 1)) + member;
  });
  return applyEdits(text, [addition(text, holder, [`${blockName(name)}:`, ...lines].join('\n'))]);
}

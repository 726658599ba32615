import { isMap, isScalar, parseDocument, type YAMLMap } from 'yaml';
import { hidePlaceholders } from './placeholder.ts';
import type { PriceRow } from './price-schema.ts';
import { keyName, offsetOf } from './yaml-places.ts';

/** The start of a mapping that has no members yet. */
type Gap = { after: number; column: number; isFlow: false };
type Holder = { map: YAMLMap; isFlow: boolean } | Gap;
type Edit = { start: number; end: number; text: string };

/** `issuedAt`: the time at which the prices were issued. */
export type NewPrices = { rows: ReadonlyMap<string, PriceRow>; issuedAt?: string | undefined };

/**
 * Writes prices to `catalog.prices` of a configuration. All else stays as it is, with comments, order and
 * placeholders. Returns undefined if the text is written in a way that the function cannot extend.
 */
export function withPrices(source: string, { rows, issuedAt }: NewPrices): string | undefined {
  const text = source.replaceAll('\r\n', '\n');
  let next: string | undefined = text;
  for (const [id, row] of rows) next = next === undefined ? undefined : withPrice(next, id, row);
  if (issuedAt !== undefined) next = next === undefined ? undefined : withIssue(next, issuedAt);
  return source.includes('\r\n') ? next?.replaceAll('\n', '\r\n') : next;
}

function withPrice(text: string, id: string, row: PriceRow): string | undefined {
  const document = parseDocument(hidePlaceholders(text), { prettyErrors: false, version: '1.2' });
  const { contents } = document;
  if (document.errors.length > 0 || (contents !== null && !isMap(contents))) return undefined;
  const fields = Object.entries(row).filter(([, value]) => value !== null);
  if (contents === null)
    return added(text, { after: text.length, column: 0, isFlow: false }, path(id), fields);
  let holder: Holder = { map: contents, isFlow: contents.flow === true };
  for (const [depth, step] of path(id).entries()) {
    const inner = memberOf(holder, step, text);
    if (inner === undefined) return added(text, holder, path(id).slice(depth), fields);
    if (inner === 'other') return undefined;
    holder = inner;
  }
  return withFields(text, holder, row);
}

/** Writes `catalog.prices_issued_at`. */
function withIssue(text: string, issuedAt: string): string | undefined {
  const document = parseDocument(hidePlaceholders(text), { prettyErrors: false, version: '1.2' });
  const { contents } = document;
  if (!isMap(contents)) return undefined;
  const holder = memberOf({ map: contents, isFlow: contents.flow === true }, 'catalog', text);
  if (holder === undefined || holder === 'other') return undefined;
  return withScalar(text, holder, ['prices_issued_at', issuedAt]);
}

/** Changes a member in its place, or adds it. */
function withScalar(text: string, holder: Holder, [name, value]: [string, string]): string | undefined {
  const pair = 'map' in holder && holder.map.items.find(({ key }) => keyName(key) === name);
  if (!pair) return edited(text, [addition(text, holder, memberText(name, JSON.stringify(value), holder))]);
  if (!isScalar(pair.value) || !pair.value.range || pair.value.source === '') return undefined;
  const [start, end] = pair.value.range;
  return edited(text, [{ start, end, text: JSON.stringify(value) }]);
}

const path = (id: string): string[] => ['catalog', 'prices', id];

/** Returns the mapping of a member. Returns undefined if there is none. `other`: the member is no mapping. */
function memberOf(holder: Holder, name: string, text: string): Holder | 'other' | undefined {
  if (!('map' in holder)) return undefined;
  const pair = holder.map.items.find(({ key }) => keyName(key) === name);
  if (!pair) return undefined;
  const { key, value } = pair;
  if (isMap(value)) return { map: value, isFlow: holder.isFlow || value.flow === true };
  const isEmpty = value === null || (isScalar(value) && value.value === null && value.source === '');
  if (!isEmpty || holder.isFlow) return 'other';
  const column = columnOf(text, offsetOf(key)) + 2;
  return { after: lineEnd(text, endOf(key)), column, isFlow: false };
}

/** A row with conditions, and a row that loses a field, is written anew. */
const isRewritten = ({ map }: { map: YAMLMap }, row: PriceRow): boolean =>
  row.conditions !== undefined ||
  map.items.some(({ key, value }) => !isScalar(value) || !Object.hasOwn(row, keyName(key) ?? ''));

/** Replaces a row as a whole. */
function rewritten(text: string, holder: { map: YAMLMap; isFlow: boolean }, row: PriceRow): string {
  const [start, end] = holder.map.range!;
  const fields = Object.entries(row).filter(([, value]) => value !== null);
  const members = fields.map(([name, value]) => memberText(name, JSON.stringify(value), holder)).join(', ');
  return edited(text, [{ start, end, text: `{ ${members} }${text[end - 1] === '\n' ? '\n' : ''}` }]);
}

/** Changes the fields of a price that exists, each in its place, and adds those that it lacks. */
function withFields(text: string, holder: Holder, row: PriceRow): string | undefined {
  if ('map' in holder && isRewritten(holder, row)) return rewritten(text, holder, row);
  const missing: [string, unknown][] = [];
  const edits: Edit[] = [];
  for (const [name, value] of Object.entries(row)) {
    const pair = 'map' in holder && holder.map.items.find(({ key }) => keyName(key) === name);
    if (!pair) {
      if (value !== null) missing.push([name, value]);
      continue;
    }
    if (!isScalar(pair.value) || !pair.value.range || pair.value.source === '') return undefined;
    const [start, end] = pair.value.range;
    edits.push({ start, end, text: JSON.stringify(value) });
  }
  for (const [name, value] of missing) {
    const edit = addition(text, holder, memberText(name, JSON.stringify(value), holder));
    edits.push(edit);
  }
  return edited(text, edits);
}

/** Adds a member with the given path of mappings, and the fields in the innermost. */
function added(
  text: string,
  holder: Holder,
  [name = '', ...inner]: readonly string[],
  fields: readonly (readonly [string, unknown])[],
): string {
  const flow = (names: readonly string[]): string =>
    names.length === 0
      ? `{ ${fields.map(([field, value]) => memberText(field, JSON.stringify(value), holder)).join(', ')} }`
      : `{ ${memberText(names[0]!, flow(names.slice(1)), holder)} }`;
  if (holder.isFlow || inner.length === 0)
    return edited(text, [addition(text, holder, memberText(name, flow(inner), holder))]);
  const column = 'map' in holder ? columnOf(text, firstKeyOf(holder.map)) : holder.column;
  const steps = inner.map((step, at) => {
    const indent = ' '.repeat(column + 2 * (at + 1));
    return at === inner.length - 1
      ? indent + memberText(step, flow([]), { isFlow: false })
      : `${indent}${quoted(step)}:`;
  });
  return edited(text, [addition(text, holder, [`${quoted(name)}:`, ...steps].join('\n'))]);
}

/** Returns the edit that puts a member behind the last one. */
function addition(text: string, holder: Holder, member: string): Edit {
  if ('map' in holder && holder.isFlow) {
    const [start, end] = holder.map.range!;
    const last = holder.map.items.at(-1);
    if (!last) return { start, end, text: `{ ${member} }` };
    const at = endOf(last.value ?? last.key);
    return { start: at, end: at, text: `, ${member}` };
  }
  const [at, column] =
    'map' in holder
      ? [lineEnd(text, lastLeafEnd(holder.map)), columnOf(text, firstKeyOf(holder.map))]
      : [holder.after, holder.column];
  const indent = ' '.repeat(column);
  const isOnNewLine = at === 0 || text[at - 1] === '\n';
  return { start: at, end: at, text: `${isOnNewLine ? '' : '\n'}${indent}${member}\n` };
}

function edited(text: string, edits: readonly Edit[]): string {
  let next = text;
  // The insertions are made from the end, so that the places before stay valid. Of two at one place, the
  // later one goes behind.
  for (const { start, end, text: inserted } of [...edits]
    .reverse()
    .sort((one, other) => other.start - one.start))
    next = next.slice(0, start) + inserted + next.slice(end);
  return next;
}

const PLAIN = /^[A-Za-z][\w.-]*$/;

const quoted = (name: string): string => (PLAIN.test(name) ? name : JSON.stringify(name));

/** Files in JSON need quotes around each name. */
const memberText = (name: string, value: string, { isFlow }: Pick<Holder, 'isFlow'>): string =>
  `${isFlow ? JSON.stringify(name) : quoted(name)}: ${value}`;

const endOf = (node: unknown): number => (node as { range?: readonly number[] | null }).range?.[1] ?? 0;

const firstKeyOf = (map: YAMLMap): number => offsetOf(map.items[0]?.key);

function lastLeafEnd(node: unknown): number {
  if (isMap(node) && node.flow !== true) {
    const last = node.items.at(-1);
    return Math.max(endOf(last?.key), last?.value == null ? 0 : lastLeafEnd(last.value));
  }
  if (node !== null && typeof node === 'object' && 'items' in node && !('flow' in node && node.flow)) {
    const items = node.items as unknown[];
    return items.length === 0 ? endOf(node) : lastLeafEnd(items.at(-1));
  }
  return endOf(node);
}

/**
 * Returns the offset behind the line that an offset is on.
 * A value with several lines ends behind its last line.
 */
function lineEnd(text: string, offset: number): number {
  if (offset > 0 && text[offset - 1] === '\n') return offset;
  const at = text.indexOf('\n', offset);
  return at < 0 ? text.length : at + 1;
}

const columnOf = (text: string, offset: number): number => offset - (text.lastIndexOf('\n', offset - 1) + 1);

import { isMap, isScalar, isSeq, type Pair, parseDocument, type YAMLMap } from 'yaml';
import { hidePlaceholders } from './placeholder.ts';
import { keyName, offsetOf } from './yaml-places.ts';

/** The start of a mapping that has no members yet. */
type Gap = { after: number; column: number; isFlow: false };

/** A mapping of a text that gets members. A mapping in braces is a flow mapping, and all within it are. */
export type Holder = { map: YAMLMap; isFlow: boolean } | Gap;

/** The replacement of a part of a text. */
export type Edit = { start: number; end: number; text: string };

const PLAIN_NAME = /^[A-Za-z][\w.-]*$/;

/** Returns the outermost mapping of a text, or undefined if the text is not valid or has another value. */
export function rootHolder(text: string): Holder | undefined {
  const { contents, errors } = parseDocument(hidePlaceholders(text), { prettyErrors: false, version: '1.2' });
  if (errors.length > 0) return undefined;
  if (contents === null) return { after: text.length, column: 0, isFlow: false };
  return isMap(contents) ? { map: contents, isFlow: contents.flow === true } : undefined;
}

/** Finds a member of a mapping. */
export const pairOf = (holder: Holder, name: string): Pair | undefined =>
  'map' in holder ? holder.map.items.find(({ key }) => keyName(key) === name) : undefined;

/** Returns the mapping of a member. Returns undefined if there is none. `other`: the member is no mapping. */
export function memberOf(holder: Holder, name: string, text: string): Holder | 'other' | undefined {
  const pair = pairOf(holder, name);
  if (!pair) return undefined;
  const { key, value } = pair;
  if (isMap(value)) return { map: value, isFlow: holder.isFlow || value.flow === true };
  const isEmpty = value === null || (isScalar(value) && value.value === null && value.source === '');
  if (!isEmpty || holder.isFlow) return 'other';
  return { after: lineEnd(text, endOf(key)), column: columnOf(text, offsetOf(key)) + 2, isFlow: false };
}

/** Returns the edit that changes a scalar in its place, or undefined if the value is no written scalar. */
export function replacement({ value }: Pair, text: string): Edit | undefined {
  if (!isScalar(value) || !value.range || value.source === '') return undefined;
  const [start, end] = value.range;
  return { start, end, text };
}

/** Returns the edit that puts a member behind the last one. */
export function addition(text: string, holder: Holder, member: string): Edit {
  if ('map' in holder && holder.isFlow) return flowAddition(holder.map, member);
  const at = 'map' in holder ? lineEnd(text, lastLeafEnd(holder.map)) : holder.after;
  const indent = ' '.repeat(memberColumn(text, holder));
  const isOnNewLine = at === 0 || text[at - 1] === '\n';
  return { start: at, end: at, text: `${isOnNewLine ? '' : '\n'}${indent}${member}\n` };
}

function flowAddition(map: YAMLMap, member: string): Edit {
  const last = map.items.at(-1);
  if (!last) {
    const [start, end] = map.range!;
    return { start, end, text: `{ ${member} }` };
  }
  const at = endOf(last.value ?? last.key);
  return { start: at, end: at, text: `, ${member}` };
}

/** Returns the column at which the members of a mapping begin. */
export const memberColumn = (text: string, holder: Holder): number =>
  'map' in holder ? columnOf(text, offsetOf(holder.map.items[0]?.key)) : holder.column;

/**
 * Applies edits from the end of a text, so that the places before stay valid. If two edits have one place,
 * the text of the later edit follows that of the earlier one.
 */
export function applyEdits(text: string, edits: readonly Edit[]): string {
  let next = text;
  for (const { start, end, text: inserted } of edits.toReversed().sort((a, b) => b.start - a.start))
    next = next.slice(0, start) + inserted + next.slice(end);
  return next;
}

/** Returns a name as a block mapping has it. */
export const blockName = (name: string): string => (PLAIN_NAME.test(name) ? name : JSON.stringify(name));

/** Returns the text of a member. A flow mapping can be JSON, which needs quotes around each name. */
export const memberText = (name: string, value: string, isFlow: boolean): string =>
  `${isFlow ? JSON.stringify(name) : blockName(name)}: ${value}`;

const endOf = (node: unknown): number => (node as { range?: readonly number[] | null }).range?.[1] ?? 0;

/**
 * Returns the end of the last key or value in a node. The range of a block mapping also has what follows it.
 */
function lastLeafEnd(node: unknown): number {
  if (isMap(node) && node.flow !== true) {
    const last = node.items.at(-1);
    return Math.max(endOf(last?.key), last?.value == null ? 0 : lastLeafEnd(last.value));
  }
  if (isSeq(node) && node.flow !== true && node.items.length > 0) return lastLeafEnd(node.items.at(-1));
  return endOf(node);
}

/**
 * Returns the offset behind the line that an offset is on. A value with several lines ends behind its last
 * line.
 */
function lineEnd(text: string, offset: number): number {
  if (offset > 0 && text[offset - 1] === '\n') return offset;
  const newline = text.indexOf('\n', offset);
  return newline < 0 ? text.length : newline + 1;
}

const columnOf = (text: string, offset: number): number => offset - (text.lastIndexOf('\n', offset - 1) + 1);

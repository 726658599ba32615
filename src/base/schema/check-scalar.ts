import { counted } from '../lib/counted.ts';
import { entriesOf } from '../lib/records.ts';
import type { ProblemSearch } from './problem-search.ts';
import type { SchemaNode } from './schema-node.ts';

/** Counts code points, as JSON Schema does, not UTF-16 units. */
function codePoints(text: string): number {
  let count = 0;
  for (const _ of text) count++;
  return count;
}

function brokenLength(node: SchemaNode, text: string): string | undefined {
  const { minLength = 0, maxLength = Number.POSITIVE_INFINITY } = node;
  if (text.length < minLength || (minLength > 0 && codePoints(text) < minLength)) {
    return minLength === 1 ? 'must not be empty' : `must have at least ${counted(minLength, 'character')}`;
  }
  if (text.length > maxLength && codePoints(text) > maxLength) {
    return `must have at most ${counted(maxLength, 'character')}`;
  }
  return undefined;
}

/** Checks the length and the pattern of a text. */
export function checkString(search: ProblemSearch, node: SchemaNode, text: string): void {
  const broken = brokenLength(node, text);
  if (broken !== undefined) search.report(broken);
  else if (node.pattern !== undefined && !new RegExp(node.pattern, 'u').test(text)) {
    search.reportValue(`must be ${node.expected ?? `text that matches ${node.pattern}`}`, text);
  }
}

type Bound = 'minimum' | 'exclusiveMinimum' | 'maximum' | 'exclusiveMaximum';

const bounds: Record<Bound, { words: string; holds: (value: number, bound: number) => boolean }> = {
  minimum: { words: 'at least', holds: (value, bound) => value >= bound },
  exclusiveMinimum: { words: 'greater than', holds: (value, bound) => value > bound },
  maximum: { words: 'at most', holds: (value, bound) => value <= bound },
  exclusiveMaximum: { words: 'less than', holds: (value, bound) => value < bound },
};

/** Checks the bounds of a number. Only the first broken bound is reported. */
export function checkNumber(search: ProblemSearch, node: SchemaNode, value: number): void {
  for (const [name, { words, holds }] of entriesOf(bounds)) {
    const bound = node[name];
    if (bound === undefined || holds(value, bound)) continue;
    search.reportValue(`must be ${node.expected ?? `${words} ${bound}`}`, value);
    return;
  }
}

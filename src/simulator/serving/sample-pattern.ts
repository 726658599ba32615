/** A sample of a part of a pattern, and the end of that part. */
type Parsed = { text: string; end: number };
type Source = { pattern: string; maxLength: number };

const CLASSES: Record<string, string> = {
  d: '1',
  w: 'a',
  s: ' ',
  D: 'a',
  W: '-',
  S: 'a',
  n: '\n',
  t: '\t',
  b: '',
  B: '',
};
const CANDIDATES = 'aA1 -_.,:/@#';
const ANCHORS = '^$';
/** The longest quantifier that is read. */
const MAX_QUANTIFIER = 32;
const QUANTIFIER = /^(?:\*|\+|\?|\{(\d+)(?:,(\d*))?\})\??/;

/**
 * Returns a short text that a common pattern matches. It supports literals, classes, groups, alternatives
 * (the first) and counts (the least), but no look-arounds or back-references.
 */
export function samplePattern(pattern: string, maxLength = Infinity): string {
  return readSequence({ pattern, maxLength }, 0).text;
}

function readSequence(source: Source, start: number): Parsed {
  const { pattern, maxLength } = source;
  let text = '';
  let at = start;
  while (at < pattern.length && pattern[at] !== ')') {
    if (pattern[at] === '|') return { text, end: skipToGroupEnd(pattern, at) };
    const atom = readAtom(source, at);
    const count = QUANTIFIER.exec(pattern.slice(atom.end, atom.end + MAX_QUANTIFIER));
    const fitting = Math.floor((maxLength - text.length) / Math.max(1, atom.text.length));
    text += atom.text.repeat(Math.min(fitting, leastCount(count)));
    at = atom.end + (count?.[0].length ?? 0);
  }
  return { text, end: at };
}

function leastCount(count: RegExpExecArray | null): number {
  if (!count || count[0].startsWith('+')) return 1;
  return count[1] === undefined ? 0 : Number(count[1]);
}

function readAtom(source: Source, at: number): Parsed {
  const { pattern } = source;
  const sign = pattern[at]!;
  if (sign === '(') return readGroup(source, at);
  if (sign === '[') return readClass(pattern, at);
  if (sign === '\\') return readEscape(pattern, at);
  if (ANCHORS.includes(sign)) return { text: '', end: at + 1 };
  return { text: sign === '.' ? 'a' : sign, end: at + 1 };
}

function readGroup(source: Source, at: number): Parsed {
  const opening = /^\((?:\?:|\?<\w+>)?/.exec(source.pattern.slice(at))!;
  const inner = readSequence(source, at + opening[0].length);
  return { text: inner.text, end: inner.end + 1 };
}

/**
 * Tests a few characters against the class itself, so that ranges and negations need no parser.
 */
function readClass(pattern: string, at: number): Parsed {
  let end = at + 1;
  while (end < pattern.length && pattern[end] !== ']') end += pattern[end] === '\\' ? 2 : 1;
  const source = pattern.slice(at, end + 1);
  const members = new RegExp(source, 'u');
  const literal = source.replace(/^\[\^?\\?/, '')[0] ?? '';
  return { text: [...CANDIDATES].find((sign) => members.test(sign)) ?? literal, end: end + 1 };
}

function readEscape(pattern: string, at: number): Parsed {
  const name = pattern[at + 1] ?? '';
  return { text: CLASSES[name] ?? name, end: at + 2 };
}

function skipToGroupEnd(pattern: string, from: number): number {
  let open = 0;
  for (let at = from; at < pattern.length; at++) {
    if (pattern[at] === '\\') at += 1;
    else if (pattern[at] === '(') open += 1;
    else if (pattern[at] === ')' && open-- === 0) return at;
  }
  return pattern.length;
}

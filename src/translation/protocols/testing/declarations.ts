import { readFileSync } from 'node:fs';

/** A declaration of a published type: its members with their types, or the type that it names. */
type Declaration = { members: Map<string, string>; parents: string[]; alias: string | undefined };
export type Declarations = ReadonlyMap<string, Declaration>;

const COMMENTS = /\/\*[\s\S]*?\*\/|\/\/.*$/gm;

/** The declarations of files that were read before. */
const filesRead = new Map<string, Declarations>();

/**
 * Reads the types that a file of a client declares, by their names with their namespaces.
 * The compiler is not asked: its interface for programs is unstable and needs a process of its own.
 */
export function readDeclarations(file: string): Declarations {
  const known = filesRead.get(file);
  if (known) return known;
  const text = readFileSync(new URL(`../../../../node_modules/${file}`, import.meta.url), 'utf8');
  const found = new Map<string, Declaration>();
  readBlock(text.replaceAll(COMMENTS, ''), '', found);
  filesRead.set(file, found);
  return found;
}

function readBlock(text: string, prefix: string, found: Map<string, Declaration>): void {
  const head = /\b(interface|namespace|class|enum|type)\s+(\w+)([^{=;]*)([{=])/g;
  for (let match = head.exec(text); match; match = head.exec(text)) {
    const [, kind, name, between = '', opener] = match;
    const full = prefix + name;
    const end = endOf(text, head.lastIndex, opener === '=' ? ';' : '}');
    const body = text.slice(head.lastIndex, end);
    head.lastIndex = end;
    if (kind === 'namespace') readBlock(body, `${full}.`, found);
    else if (!found.has(full))
      found.set(full, declarationOf({ kind: kind!, opener: opener!, between, body }));
  }
}

type Block = { kind: string; opener: string; between: string; body: string };

function declarationOf({ kind, opener, between, body }: Block): Declaration {
  if (opener === '=') return { members: new Map(), parents: [], alias: body.trim() };
  if (kind === 'enum') return enumOf(body);
  return { members: membersOf(body), parents: parentsOf(between), alias: undefined };
}

const parentsOf = (between: string): string[] =>
  (/extends\s+(.*)$/s.exec(between)?.[1] ?? '').match(/[A-Za-z_]\w*(\.\w+)*/g) ?? [];

const enumOf = (body: string): Declaration => ({
  members: new Map(),
  parents: [],
  alias: [...body.matchAll(/=\s*"([^"]*)"/g)].map(([, word]) => `'${word}'`).join(' | '),
});

/** Returns the members of a block with their types. Methods and index signatures have no names. */
export function membersOf(body: string): Map<string, string> {
  const members = new Map<string, string>();
  for (const line of splitAt(body, ';')) {
    const [, name, type] = /^(?:readonly\s+)?'?(\w+)'?\??:\s*([\s\S]*)$/.exec(line) ?? [];
    if (name !== undefined && type !== undefined && !/^\(.*\)\s*=>/s.test(type))
      members.set(name, type.trim());
  }
  return members;
}

const OPENERS = '{[(<';
const CLOSERS = '}])>';

/** Splits a text at a separator outside of brackets. */
export function splitAt(text: string, separator: string): string[] {
  const parts: string[] = [];
  let depth = 0;
  let from = 0;
  for (let at = 0; at < text.length; at++) {
    const sign = text[at]!;
    if (sign === '=' && text[at + 1] === '>') at++;
    else if (OPENERS.includes(sign)) depth++;
    else if (CLOSERS.includes(sign)) depth--;
    else if (sign === separator && depth === 0) {
      parts.push(text.slice(from, at).trim());
      from = at + 1;
    }
  }
  parts.push(text.slice(from).trim());
  return parts.filter(Boolean).map(unwrapped);
}

/** Removes the brackets around a whole type. */
const unwrapped = (part: string): string => /^\(([\s\S]*)\)$/.exec(part)?.[1] ?? part;

/** Returns the place of the sign that ends a block or a type. */
function endOf(text: string, from: number, sign: ';' | '}'): number {
  let depth = 0;
  for (let at = from; at < text.length; at++) {
    const next = text[at]!;
    if (next === sign && depth === 0) return at;
    if (next === '=' && text[at + 1] === '>') at++;
    else if (OPENERS.includes(next)) depth++;
    else if (CLOSERS.includes(next)) depth--;
  }
  return text.length;
}

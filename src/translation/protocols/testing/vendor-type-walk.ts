import { readFileSync } from 'node:fs';

/** A declaration of a client's published types: its members with their types, or the type that it names. */
type Declaration = { members: Map<string, string>; parents: string[]; alias: string | undefined };

/**
 * What a type has: its members, or the values of a type or of a member.
 * `holder` is the type, or the path of the member.
 */
export type PublishedWords = { holder: string; members: string[]; values: string[] };

const COMMENTS = /\/\*[\s\S]*?\*\/|\/\/.*$/gm;
const LITERAL = /^'([^']*)'$|^"([^"]*)"$/;

/** The words of a client's published types, read from their declarations. */
export class VendorTypes {
  readonly #declared = new Map<string, Declaration>();

  constructor(files: readonly string[]) {
    for (const file of files) {
      const text = readFileSync(new URL(`../../../../node_modules/${file}`, import.meta.url), 'utf8');
      this.#read(text.replaceAll(COMMENTS, ''), '');
    }
  }

  /**
   * Returns the words of all types that can be reached from some.
   * Values of members in `without` are left out.
   */
  from(roots: readonly string[], without: ReadonlySet<string> = new Set()): PublishedWords[] {
    const walk: Walk = { found: new Map(), seen: new Set(), without, holder: '' };
    for (const root of roots) {
      if (this.#nameOf(root) === undefined) throw new Error(`there is no ${root}`);
      this.#enterNamed(root, walk);
    }
    return [...walk.found.values()];
  }

  /** Returns the values of a member of a type, or of the type itself. */
  valuesOf(type: string, member?: string): string[] {
    const declared = this.#declared.get(type);
    const text = member === undefined ? declared?.alias : declared?.members.get(member);
    if (text === undefined) throw new Error(`there is no ${[type, member].join('.')}`);
    const walk: Walk = { found: new Map(), seen: new Set(), without: new Set(), holder: type };
    this.#enter(text, walk);
    return [...walk.found.values()].flatMap(({ values }) => values);
  }

  #enter(type: string, walk: Walk): void {
    for (const part of splitAt(type, '|')) {
      const literal = LITERAL.exec(part);
      if (literal) note(walk, 'values', literal[1] ?? literal[2] ?? '');
      else if (part.startsWith('{')) this.#enterMembers(membersOf(part.slice(1, -1)), walk);
      else for (const name of part.match(/[A-Za-z_]\w*(\.\w+)*/g) ?? []) this.#enterNamed(name, walk);
    }
  }

  #enterNamed(name: string, walk: Walk): void {
    const full = this.#nameOf(name);
    if (full === undefined || walk.seen.has(full)) return;
    walk.seen.add(full);
    const { members, parents, alias } = this.#declared.get(full)!;
    const within = { ...walk, holder: full };
    for (const parent of parents) this.#enterNamed(parent, within);
    this.#enterMembers(members, within);
    if (alias !== undefined) this.#enter(alias, within);
  }

  #enterMembers(members: ReadonlyMap<string, string>, walk: Walk): void {
    for (const [name, type] of members) {
      note(walk, 'members', name);
      if (!walk.without.has(name)) this.#enter(type, { ...walk, holder: `${walk.holder}.${name}` });
    }
  }

  /** Files name the types of another file behind the name under which they import it. */
  #nameOf(name: string): string | undefined {
    if (this.#declared.has(name)) return name;
    const rest = name.slice(name.indexOf('.') + 1);
    return rest !== name && this.#declared.has(rest) ? rest : undefined;
  }

  #read(text: string, prefix: string): void {
    const head = /\b(interface|namespace|class|enum|type)\s+(\w+)([^{=;]*)([{=])/g;
    for (let match = head.exec(text); match; match = head.exec(text)) {
      const [, kind, name, between = '', opener] = match;
      const full = prefix + name;
      if (opener === '=') {
        const end = endOf(text, head.lastIndex, ';');
        this.#add(full, { members: new Map(), parents: [], alias: text.slice(head.lastIndex, end).trim() });
        head.lastIndex = end;
        continue;
      }
      const end = endOf(text, head.lastIndex, '}');
      const body = text.slice(head.lastIndex, end);
      if (kind === 'namespace') this.#read(body, `${full}.`);
      else if (kind === 'enum') this.#add(full, enumOf(body));
      else this.#add(full, { members: membersOf(body), parents: parentsOf(between), alias: undefined });
      head.lastIndex = end;
    }
  }

  #add(name: string, declaration: Declaration): void {
    if (!this.#declared.has(name)) this.#declared.set(name, declaration);
  }
}

type Walk = {
  found: Map<string, PublishedWords>;
  seen: Set<string>;
  without: ReadonlySet<string>;
  holder: string;
};

function note({ found, holder }: Walk, kind: 'members' | 'values', word: string): void {
  const words = found.get(holder) ?? { holder, members: [], values: [] };
  found.set(holder, words);
  if (!words[kind].includes(word)) words[kind].push(word);
}

const parentsOf = (between: string): string[] =>
  (/extends\s+(.*)$/s.exec(between)?.[1] ?? '').match(/[A-Za-z_]\w*(\.\w+)*/g) ?? [];

const enumOf = (body: string): Declaration => ({
  members: new Map(),
  parents: [],
  alias: [...body.matchAll(/=\s*"([^"]*)"/g)].map(([, word]) => `'${word}'`).join(' | '),
});

/** Returns the members of a block with their types. Methods and index signatures have no names. */
function membersOf(body: string): Map<string, string> {
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
function splitAt(text: string, separator: string): string[] {
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

import { type Declarations, membersOf, readDeclarations, splitAt } from './declarations.ts';

/**
 * The words of a type: its members, or the values of a type or of a member.
 * `holder` is the type, or the path of the member.
 */
type PublishedWords = { holder: string; members: string[]; values: string[] };

const LITERAL = /^'([^']*)'$|^"([^"]*)"$/;

/** The words of a client's published types, read from their declarations. */
export class VendorTypes {
  readonly #declared: Declarations;

  /** Reads files of a client. The first declaration of a name counts. */
  constructor(files: readonly string[]) {
    this.#declared = new Map(files.toReversed().flatMap((file) => [...readDeclarations(file)]));
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

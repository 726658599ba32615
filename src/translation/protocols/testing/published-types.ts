import { type Declarations, readDeclarations, splitAt } from './declarations.ts';

const PRIMITIVE = /^(number|string|boolean|null|undefined|unknown|'[^']*')$/;

/** The declarations of one file of a client's published types. */
export class PublishedTypes {
  readonly #declared: Declarations;

  constructor(file: string) {
    this.#declared = readDeclarations(file);
  }

  /** Returns the names of the members of a type. `name` is the end of its name with its namespaces. */
  namesIn(name: string): string[] {
    const full = [...this.#declared.keys()].find((each) => each === name || each.endsWith(`.${name}`));
    return [...(this.#declared.get(full ?? name)?.members.keys() ?? [])];
  }

  /** Returns the values of `type` of the members of a union. */
  namesOfUnion(union: string): string[] {
    const members = splitAt(this.#declared.get(union)?.alias ?? '', '|');
    return members.flatMap((member) => {
      const type = this.#declared.get(member)?.members.get('type') ?? '';
      return [...type.matchAll(/'([^']*)'/g)].map(([, name]) => name!);
    });
  }

  /**
   * Returns the paths of all leaves of an interface.
   * Elements of lists are named by the value of their `type`.
   */
  leavesOf(type: string, path = ''): string[] {
    const members = this.#declared.get(type)?.members ?? new Map<string, string>();
    return [...members].flatMap(([name, memberType]) => {
      const place = path === '' ? name : `${path}.${name}`;
      const parts = this.#typesOf(memberType).filter((part) => this.#isInterface(part));
      if (parts.length === 0) return [place];
      const isList = parts.length > 1 || this.#aliasOf(memberType) !== undefined;
      return parts.flatMap((part) => this.leavesOf(part, isList ? `${place}[${this.#kindOf(part)}]` : place));
    });
  }

  /** Returns the types of a union or of a list's elements. */
  #typesOf(type: string): string[] {
    const bare = type.replaceAll(/Array<|>|\(|\)/g, '');
    return splitAt(bare, '|').flatMap((part) => {
      const alias = PRIMITIVE.test(part) ? undefined : this.#aliasOf(part);
      return alias === undefined ? [part] : this.#typesOf(alias);
    });
  }

  #isInterface(type: string): boolean {
    return this.#declared.get(type)?.alias === undefined && this.#declared.has(type);
  }

  /** Returns the list that a type names. */
  #aliasOf(type: string): string | undefined {
    const name = splitAt(type, '|').find((part) => part !== 'null') ?? '';
    const alias = this.#declared.get(name)?.alias;
    return alias?.startsWith('Array<') ? alias : undefined;
  }

  #kindOf(type: string): string {
    return this.#declared.get(type)?.members.get('type')?.replaceAll("'", '') ?? type;
  }
}

import { readFileSync } from 'node:fs';

/** A member of a published type: its path, and the path of its list's element type in brackets. */
type Member = { name: string; type: string };

const PRIMITIVE = /^(number|string|boolean|null|undefined|unknown|'[^']*')$/;

/** The declarations of one file of a client's published types. */
export class PublishedTypes {
  readonly #text: string;

  constructor(file: string) {
    this.#text = readFileSync(new URL(`../../../../node_modules/${file}`, import.meta.url), 'utf8');
  }

  /**
   * Returns the members of an interface, which may be in a namespace.
   * Returns undefined if there is no such interface.
   */
  membersOf(type: string): Member[] | undefined {
    const [holder, inner] = type.split('.');
    const text = inner === undefined ? this.#text : this.#blockOf(`export declare namespace ${holder} {`, '');
    const indent = inner === undefined ? '' : '    ';
    const body =
      text &&
      this.#blockOf(`${inner === undefined ? 'export ' : ''}interface ${inner ?? type} {`, indent, text);
    if (body === undefined) return undefined;
    const line = new RegExp(`^${indent} {4}([a-z]\\w*)\\??: (.*);$`, 'gm');
    return [...body.matchAll(line)].map(([, name, member]) => ({ name: name!, type: member! }));
  }

  /** Returns the members of an interface at any depth. `behind` is a text that comes before it. */
  namesIn(head: string, behind = ''): string[] {
    const from = this.#text.indexOf(head, this.#text.indexOf(behind));
    const indent = from < 0 ? '' : this.#text.slice(this.#text.lastIndexOf('\n', from) + 1, from);
    const body = from < 0 ? '' : this.#text.slice(from).split(`\n${indent}}\n`, 1)[0]!;
    return [...body.matchAll(new RegExp(`^${indent} {4}([a-z]\\w*)\\??: `, 'gm'))].map(([, name]) => name!);
  }

  /** Returns the values of `type` of the members of a union. */
  namesOfUnion(union: string): string[] {
    const members =
      new RegExp(`^export type ${union} = (.*);$`, 'm').exec(this.#text)?.[1]?.split(' | ') ?? [];
    return members.flatMap((member) => {
      const [holder, inner] = member.split('.');
      const text =
        inner === undefined ? this.#text : this.#blockOf(`export declare namespace ${holder} {`, '');
      const head = new RegExp(
        `^( *)(?:export )?interface ${inner ?? holder} (?:extends \\w+ )?\\{`,
        'm',
      ).exec(text ?? '');
      const body = head && text!.slice(head.index).split(`\n${head[1]}}\n`, 1)[0]!;
      const type = new RegExp(`^${head?.[1]} {4}type: (.*);$`, 'm').exec(body ?? '')?.[1] ?? '';
      return [...type.matchAll(/'([^']*)'/g)].map(([, name]) => name!);
    });
  }

  /**
   * Returns the paths of all leaves of an interface.
   * Elements of lists are named by the value of their `type`.
   */
  leavesOf(type: string, path = ''): string[] {
    return (this.membersOf(type) ?? []).flatMap((member) => {
      const place = path === '' ? member.name : `${path}.${member.name}`;
      const parts = this.#typesOf(member.type).filter((part) => this.membersOf(part) !== undefined);
      if (parts.length === 0) return [place];
      const isList = parts.length > 1 || this.#aliasOf(member.type) !== undefined;
      return parts.flatMap((part) => this.leavesOf(part, isList ? `${place}[${this.#kindOf(part)}]` : place));
    });
  }

  #typesOf(type: string): string[] {
    const bare = type.replaceAll(/Array<|>|\(|\)/g, '');
    return bare.split(' | ').flatMap((part) => {
      const alias = PRIMITIVE.test(part) ? undefined : this.#aliasOf(part);
      return alias === undefined ? [part] : this.#typesOf(alias);
    });
  }

  #aliasOf(type: string): string | undefined {
    const name = type.split(' | ').find((part) => part !== 'null');
    return new RegExp(`^export type ${name} = (Array<.*>);$`, 'm').exec(this.#text)?.[1];
  }

  #kindOf(type: string): string {
    const kind = this.membersOf(type)?.find(({ name }) => name === 'type')?.type;
    return kind?.replaceAll("'", '') ?? type;
  }

  #blockOf(head: string, indent: string, text = this.#text): string | undefined {
    const start = text.indexOf(`\n${indent}${head}`);
    if (start < 0) return undefined;
    return text.slice(start + head.length + 1).split(`\n${indent}}\n`, 1)[0];
  }
}

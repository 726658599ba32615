/** JSON text that is forwarded as it was sent, with its member order, whitespace and number notation. */
export class RawJson {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }

  parse(): unknown {
    return JSON.parse(this.text);
  }
}

/** Stands for a RawJson. No text can contain it, since it is chosen at random. */
const MARK = crypto.randomUUID();
const MARKED = new RegExp(`"${MARK}:(\\d+)"`, 'g');

/** Works like `JSON.stringify`, but writes a RawJson as its text at any depth. */
export function stringifyWithRaw(value: unknown): string {
  const raws: RawJson[] = [];
  const text = JSON.stringify(value, (_key, member: unknown) =>
    member instanceof RawJson ? `${MARK}:${raws.push(member) - 1}` : member,
  );
  return raws.length === 0 ? text : text.replace(MARKED, (_, index: string) => raws[Number(index)]!.text);
}

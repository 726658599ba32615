/** JSON text that is carried as it was sent: key order, spacing and the text of numbers included. */
export class RawJson {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }

  parse(): unknown {
    return JSON.parse(this.text);
  }
}

const MARK = '\u0000raw:';
const MARKED = /"\\u0000raw:(\d+)"/g;

/** `JSON.stringify` that writes a RawJson as its text, wherever it stands. */
export function stringifyWithRaw(value: unknown): string {
  const raws: RawJson[] = [];
  const text = JSON.stringify(value, (_key, member: unknown) =>
    member instanceof RawJson ? MARK + (raws.push(member) - 1) : member,
  );
  return raws.length === 0
    ? text
    : text.replace(MARKED, (whole, index: string) => raws[Number(index)]?.text ?? whole);
}

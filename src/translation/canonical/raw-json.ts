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

const MARK = '\u0000raw:';
/** Matches a mark that is a value. A colon follows the name of a member. */
const MARKED = /"\\u0000raw:(\d+)"(?!:)/g;

/** Works like `JSON.stringify`, but writes a RawJson as its text at any depth. */
export function stringifyWithRaw(value: unknown): string {
  const texts: string[] = [];
  const marked = JSON.stringify(value, (_name, member: unknown) => {
    if (member instanceof RawJson) return MARK + (texts.push(member.text) - 1);
    // A text that begins like a mark gets one too, so that it is not taken for another's.
    if (typeof member === 'string' && member.startsWith(MARK))
      return MARK + (texts.push(JSON.stringify(member)) - 1);
    return member;
  });
  return texts.length === 0
    ? marked
    : marked.replace(MARKED, (whole, index: string) => texts[Number(index)] ?? whole);
}

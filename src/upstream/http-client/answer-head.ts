/** What is not HTTP/1.1, or breaks off. */
export class MalformedAnswer extends Error {
  override readonly name = 'MalformedAnswer';
}

const STATUS_LINE = /^HTTP\/1\.[01] [1-9]\d\d(?: [^\r\n]*)?\r\n/;
const MINOR_AT = 'HTTP/1.'.length;
const STATUS_AT = 'HTTP/1.1 '.length;
/** A line that is no field (a folded one is none either), or a line break that is none. */
const FAULT = /\r\n(?![\w!#$%&'*+.^`|~-]+:)(?!$)|[^\r]\n|\r[^\n]|\0/;

/** How the lines of those fields begin that every answer is asked for. */
const beginnings = Object.fromEntries(
  ['connection', 'keep-alive', 'transfer-encoding', 'content-length', 'content-type', 'content-encoding'].map(
    (name) => [name, beginningOf(name)],
  ),
);

function beginningOf(name: string): string {
  return `\r\n${name}:`;
}

/** The head of an answer. Fields are looked for only when asked for: of twenty or more that come, six matter. */
export class AnswerHead {
  readonly status: number;
  readonly isHttp10: boolean;
  readonly #lines: string;
  readonly #lowered: string;

  /** `lines`: the status line and the fields, each with its line break. */
  constructor(lines: string) {
    if (!STATUS_LINE.test(lines) || FAULT.test(lines)) throw new MalformedAnswer('no head of an answer');
    this.status = Number(lines.slice(STATUS_AT, STATUS_AT + 3));
    this.isHttp10 = lines[MINOR_AT] === '0';
    this.#lines = lines;
    this.#lowered = lines.toLowerCase();
  }

  /** By its lower-case name; several fields of one name are one, as RFC 9110 5.2 has it. */
  get(name: string): string | null {
    const start = beginnings[name] ?? beginningOf(name);
    let value: string | null = null;
    for (let at = this.#lowered.indexOf(start); at >= 0; at = this.#lowered.indexOf(start, at + 1)) {
      const from = at + start.length;
      const part = this.#lines.slice(from, this.#lines.indexOf('\r\n', from)).trim();
      value = value === null ? part : `${value}, ${part}`;
    }
    return value;
  }
}

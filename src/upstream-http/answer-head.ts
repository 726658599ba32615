/** What is not HTTP/1.1, or breaks off. */
export class MalformedAnswer extends Error {
  override readonly name = 'MalformedAnswer';
}

const STATUS_LINE = /^HTTP\/1\.([01]) ([1-9]\d\d)(?: [^\r\n]*)?\r\n/;
/** A line that is no field (a folded one is none either), or a line break that is none. */
const FAULT = /\r\n(?![\w!#$%&'*+.^`|~-]+:)(?!$)|[^\r]\n|\r[^\n]|\0/;

/** The head of an answer. Fields are looked for only when asked for: of twenty or more that come, six matter. */
export class AnswerHead {
  readonly status: number;
  readonly isHttp10: boolean;
  readonly #lines: string;
  readonly #lowered: string;

  /** `lines`: the status line and the fields, each with its line break. */
  constructor(lines: string) {
    const [, minor, status] = STATUS_LINE.exec(lines) ?? [];
    if (status === undefined || FAULT.test(lines)) throw new MalformedAnswer('no head of an answer');
    this.status = Number(status);
    this.isHttp10 = minor === '0';
    this.#lines = lines;
    this.#lowered = lines.toLowerCase();
  }

  /** By its lower-case name; several fields of one name are one, as RFC 9110 5.2 has it. */
  get(name: string): string | null {
    const start = `\r\n${name}:`;
    let value: string | null = null;
    for (let at = this.#lowered.indexOf(start); at >= 0; at = this.#lowered.indexOf(start, at + 1)) {
      const from = at + start.length;
      const part = this.#lines.slice(from, this.#lines.indexOf('\r\n', from)).trim();
      value = value === null ? part : `${value}, ${part}`;
    }
    return value;
  }
}

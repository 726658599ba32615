import { lookUp } from '../../base/lib/records.ts';

/** The upstream's bytes are not HTTP/1.1, or the answer is incomplete. */
export class MalformedAnswer extends Error {
  override readonly name = 'MalformedAnswer';
}

const STATUS_LINE = /^HTTP\/1\.[01] [1-9]\d\d(?: [^\r\n]*)?\r\n/;
const MINOR_AT = 'HTTP/1.'.length;
const STATUS_AT = 'HTTP/1.1 '.length;
/** Matches an invalid field line (including a folded one), and an invalid line break. */
const FAULT = /\r\n(?![\w!#$%&'*+.^`|~-]+:)(?!$)|[^\r]\n|\r[^\n]|\0/;

/** The line starts of the fields that are read from every answer. */
const beginnings = Object.fromEntries(
  ['connection', 'keep-alive', 'transfer-encoding', 'content-length', 'content-type', 'content-encoding'].map(
    (name) => [name, beginningOf(name)],
  ),
);

function beginningOf(name: string): string {
  return `\r\n${name}:`;
}

/** The head of an answer. Fields are parsed on demand, since only six of about twenty matter. */
export class AnswerHead {
  readonly status: number;
  readonly isHttp10: boolean;
  readonly #lines: string;
  readonly #lowered: string;

  /** `lines`: the status line and the fields, each with its line break. */
  constructor(lines: string) {
    if (!STATUS_LINE.test(lines) || FAULT.test(lines)) throw new MalformedAnswer('invalid response head');
    this.status = Number(lines.slice(STATUS_AT, STATUS_AT + 3));
    this.isHttp10 = lines[MINOR_AT] === '0';
    this.#lines = lines;
    this.#lowered = lines.toLowerCase();
  }

  /** Returns a field by its lower-case name. Several fields of one name are joined, as in RFC 9110 5.2. */
  get(name: string): string | null {
    const start = lookUp(beginnings, name) ?? beginningOf(name);
    let value: string | null = null;
    for (let at = this.#lowered.indexOf(start); at >= 0; at = this.#lowered.indexOf(start, at + 1)) {
      const from = at + start.length;
      const part = this.#lines.slice(from, this.#lines.indexOf('\r\n', from)).trim();
      value = value === null ? part : `${value}, ${part}`;
    }
    return value;
  }
}

/**
 * Something outside the program keeps a part of it from its work, and an operator can mend it. `message` says what, `hint` what to do
 * about it: for the log and the probes, since both name what clients need not know.
 */
export class Unavailable extends Error {
  override readonly name: string = 'Unavailable';
  readonly hint: string;

  constructor(message: string, hint: string, cause?: unknown) {
    super(message, { cause });
    this.hint = hint;
  }

  /** Both in one sentence, for a log line or a probe. */
  get sentence(): string {
    return `${this.message}: ${this.hint}.`;
  }
}

/**
 * Something outside the program keeps the store from its work. `message` says what, `hint` what to do about
 * it.
 */
export class StoreProblem extends Error {
  override readonly name = 'StoreProblem';
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

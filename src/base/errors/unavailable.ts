/**
 * Something outside the program is unavailable, and an operator can repair it. `message` names the fault and
 * `hint` the remedy. Both go to the log and the probes only, since clients must not see them.
 */
export class Unavailable extends Error {
  override readonly name: string = 'Unavailable';
  readonly hint: string;

  constructor(message: string, hint: string, cause?: unknown) {
    super(message, { cause });
    this.hint = hint;
  }

  /** The message and the hint in one sentence, for a log line or a probe. */
  get sentence(): string {
    return `${this.message}: ${this.hint}.`;
  }
}

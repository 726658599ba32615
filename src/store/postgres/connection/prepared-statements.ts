import type { RowReader } from './row-reader.ts';

export type PreparedStatement = {
  readonly name: string;
  rows: RowReader | undefined;
  isSent: boolean;
  /** True once the server has accepted the statement. */
  isKnown: boolean;
};

/** More different statements than the program has. Others are parsed each time. */
const MAX_PREPARED = 500;

/** The statements that a connection has prepared, by their text. */
export class PreparedStatements {
  readonly #byText = new Map<string, PreparedStatement>();
  #lastNumber = 0;

  /** Returns the statement of a text. Undefined if there are too many. */
  of(text: string): PreparedStatement | undefined {
    const existingStatement = this.#byText.get(text);
    if (existingStatement) return existingStatement;
    if (this.#byText.size >= MAX_PREPARED) return undefined;
    const prepared = { name: `t${++this.#lastNumber}`, rows: undefined, isSent: false, isKnown: false };
    this.#byText.set(text, prepared);
    return prepared;
  }

  /** Forgets a statement. Returns false if it was forgotten before. Its name is not used again. */
  forget(text: string, prepared: PreparedStatement): boolean {
    return this.#byText.get(text) === prepared && this.#byText.delete(text);
  }
}

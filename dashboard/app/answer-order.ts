/** Numbers questions, so that a late answer never replaces the answer to a later question. */
export class AnswerOrder {
  /** The number of the latest question. */
  #latestQuestion = 0;
  /** The number of the latest question whose answer was accepted. */
  #latestAnswer = 0;

  /** Returns the number of a new question. */
  ask(): number {
    this.#latestQuestion++;
    return this.#latestQuestion;
  }

  /** Reports whether an answer is newer than the accepted ones, and then accepts it. */
  accepts(number: number): boolean {
    if (number <= this.#latestAnswer) return false;
    this.#latestAnswer = number;
    return true;
  }

  /** True while the latest question has no answer. */
  get isAsking(): boolean {
    return this.#latestAnswer < this.#latestQuestion;
  }

  /** Accepts no answer to the questions so far. */
  drop(): void {
    this.#latestAnswer = this.#latestQuestion;
  }
}

/** Numbers questions, so that a late answer never replaces that to a later question. */
export class AnswerOrder {
  #asked = 0;
  #answered = 0;

  /** Returns the number of a new question. */
  ask(): number {
    this.#asked++;
    return this.#asked;
  }

  /** Reports whether an answer is newer than the accepted ones, and then accepts it. */
  accepts(number: number): boolean {
    if (number <= this.#answered) return false;
    this.#answered = number;
    return true;
  }

  /** The latest question has no answer yet. */
  get isAsking(): boolean {
    return this.#answered < this.#asked;
  }

  /** Accepts no answer to the questions so far. */
  drop(): void {
    this.#answered = this.#asked;
  }
}

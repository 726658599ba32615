import type { Refusal } from '../../base/errors/refusal.ts';
import { Roster } from '../../base/lib/roster.ts';
import { stopping } from '../../edge/http/under-way.ts';

/**
 * Lists the answers whose head is sent, each with its interrupt, so that every one of them ends with an error
 * when the server stops.
 */
export class OpenAnswers {
  readonly #interrupts = new Roster<() => void>();
  #isInterrupted = false;

  /** Adds an answer, and returns a function that removes it. */
  add(interrupt: () => void): () => void {
    if (this.#isInterrupted) {
      interrupt();
      return () => {};
    }
    const place = this.#interrupts.add(interrupt);
    return () => this.#interrupts.leave(place);
  }

  /** Interrupts all answers, also those that are added later. */
  interrupt(): void {
    this.#isInterrupted = true;
    this.interruptOpen();
  }

  /** Interrupts the answers that are open now. */
  interruptOpen(): void {
    for (const place of this.#interrupts.entries()) {
      place.item?.();
      this.#interrupts.leave(place);
    }
  }

  /** Returns the result of the work, or a refusal if the server stops first. */
  unlessStopped<T>(work: Promise<T>): Promise<T | Refusal> {
    return new Promise((resolve, reject) => {
      const leave = this.add(() => resolve(stopping()));
      work.then(
        (result) => {
          leave();
          resolve(result);
        },
        (error) => {
          leave();
          reject(error);
        },
      );
    });
  }
}

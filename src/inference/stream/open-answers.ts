import type { Refusal } from '../../base/errors/refusal.ts';
import { Roster } from '../../base/lib/roster.ts';
import { stopping } from '../../edge/http/under-way.ts';

/** Answers whose head is out, each with what interrupts it, so that none of them ends without a word when the server stops. */
export class OpenAnswers {
  readonly #interrupts = new Roster<() => void>();
  #isInterrupted = false;

  /** Returns what takes it off the list again. */
  add(interrupt: () => void): () => void {
    if (this.#isInterrupted) {
      interrupt();
      return () => {};
    }
    const place = this.#interrupts.add(interrupt);
    return () => this.#interrupts.leave(place);
  }

  interrupt(): void {
    this.#isInterrupted = true;
    for (const place of this.#interrupts.places()) {
      place.item?.();
      this.#interrupts.leave(place);
    }
  }

  /** What comes of the work, unless the server stops before. */
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

import { type Place, Roster } from '../../base/lib/roster.ts';

/** `due` may be moved to a later time at will; who moves it to an earlier one says so. Nobody waits for what is forsaken. */
export type Due = { readonly due: number; readonly isForsaken: boolean; expire(): void };

/** Dues that lie closer together are looked at together. */
const GRAIN_MS = 10;
/** So often all that is waited for is looked at: a listener for each client that may leave would cost a request 2 % more. */
const LOOK_MS = 25;

/** One timer for all that is waited for: nearly nothing of it comes due, and a timer for each would cost more than all else about it. */
export class DueWatch {
  readonly #watched = new Roster<Due>();
  #timer: Timer | undefined;
  #timerDue = Number.POSITIVE_INFINITY;

  add(waited: Due): Place<Due> {
    this.sooner(waited.due);
    return this.#watched.add(waited);
  }

  leave(place: Place<Due>): void {
    this.#watched.leave(place);
  }

  /** What is due then may have been due later so far. */
  sooner(due: number): void {
    if (due < this.#timerDue) this.#arm(due);
  }

  close(): void {
    for (const place of this.#watched.places()) this.#watched.leave(place);
    clearTimeout(this.#timer);
    this.#timerDue = Number.POSITIVE_INFINITY;
  }

  #arm(due: number): void {
    clearTimeout(this.#timer);
    const now = performance.now();
    this.#timerDue = Math.min(due, now + LOOK_MS);
    this.#timer = setTimeout(this.#check, Math.max(0, this.#timerDue - now));
    this.#timer.unref();
  }

  readonly #check = (): void => {
    const now = performance.now();
    const expired: Place<Due>[] = [];
    let next = Number.POSITIVE_INFINITY;
    for (const place of this.#watched.places()) {
      const { due, isForsaken } = place.item!;
      if (isForsaken || due <= now + 1) expired.push(place);
      else if (due < next) next = due;
    }
    this.#timerDue = Number.POSITIVE_INFINITY;
    if (next < this.#timerDue) this.#arm(Math.max(next, now + GRAIN_MS));
    for (const place of expired) {
      const waited = place.item;
      this.#watched.leave(place);
      waited?.expire();
    }
  };
}

import { Roster, type RosterEntry } from '../../base/lib/roster.ts';

/**
 * A deadline. `due` may be moved to a later time freely; moving it to an earlier time needs a call of
 * `sooner()`. `isAbandoned` means that no reader waits for the result any more.
 */
export type Due = { readonly due: number; readonly isAbandoned: boolean; expire(): void };

/** Deadlines that are closer together than this are checked together. */
const GRAIN_MS = 10;
/**
 * The interval at which all calls are checked. A listener for each client's abort signal would cost a request
 * 2 % more.
 */
const LOOK_MS = 25;

/**
 * Watches all deadlines with one timer. Almost no deadline expires, and a timer for each would cost more than
 * everything else about it.
 */
export class DueWatch {
  readonly #watched = new Roster<Due>();
  #timer: Timer | undefined;
  #timerDue = Number.POSITIVE_INFINITY;

  add(deadline: Due): RosterEntry<Due> {
    this.sooner(deadline.due);
    return this.#watched.add(deadline);
  }

  leave(place: RosterEntry<Due>): void {
    this.#watched.leave(place);
  }

  /** Notes that a deadline was moved to an earlier time. */
  sooner(due: number): void {
    if (due < this.#timerDue) this.#arm(due);
  }

  close(): void {
    for (const place of this.#watched.entries()) this.#watched.leave(place);
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
    this.#timerDue = Number.POSITIVE_INFINITY;
    const now = performance.now();
    const expired: RosterEntry<Due>[] = [];
    let next = Number.POSITIVE_INFINITY;
    for (const place of this.#watched.entries()) {
      const deadline = place.item;
      if (deadline === undefined) continue; // it left when another call noticed that its client has left
      if (deadline.isAbandoned || deadline.due <= now + 1) expired.push(place);
      else if (deadline.due < next) next = deadline.due;
    }
    if (next < this.#timerDue) this.#arm(Math.max(next, now + GRAIN_MS));
    for (const place of expired) {
      const deadline = place.item;
      this.#watched.leave(place);
      deadline?.expire();
    }
  };
}

import { STEP_BYTES } from '../../base/json/body-sizes.ts';
import { Roster } from '../../base/lib/roster.ts';
import type { IncomingBody } from './incoming-body.ts';

type ArrivingBody = { incoming: IncomingBody; sizeBefore: number; giveUp: () => void };

/**
 * Bodies that have booked more than has arrived. A body that arrives slowly gives up the rest of its booking.
 */
export class Arrivals {
  readonly #arriving = new Roster<ArrivingBody>();

  /** Adds a body, and returns a function that removes it. */
  add(incoming: IncomingBody, giveUp: () => void): () => void {
    const entry = this.#arriving.add({ incoming, sizeBefore: Number.NaN, giveUp });
    return () => this.#arriving.leave(entry);
  }

  /** Must be called every second. A body that advanced by less than one step since the last call is slow. */
  sweep(): void {
    for (const arriving of this.#arriving) {
      const { incoming, sizeBefore, giveUp } = arriving;
      const { size } = incoming;
      arriving.sizeBefore = size;
      const next = size + STEP_BYTES;
      if (!(size - sizeBefore < STEP_BYTES) || next >= incoming.allowed) continue;
      incoming.allowed = next;
      giveUp();
    }
  }
}

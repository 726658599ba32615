import { STEP_BYTES } from '../../base/json/body-sizes.ts';
import { Roster } from '../../base/lib/roster.ts';
import type { IncomingBody } from './incoming-body.ts';

type Arriving = { incoming: IncomingBody; sizeBefore: number; giveUp: () => void };

/** Bodies on their way in that have booked more than has come of them: who sends slowly gives the rest up again. */
export class Arrivals {
  readonly #arriving = new Roster<Arriving>();

  /** Returns what ends it. */
  add(incoming: IncomingBody, giveUp: () => void): () => void {
    const place = this.#arriving.add({ incoming, sizeBefore: Number.NaN, giveUp });
    return () => this.#arriving.leave(place);
  }

  /** To be called every second: what has not come a step further since the last time is slow. */
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

import { nextTurn } from '../base/lib/next-turn.ts';

/** The most turns of the event loop before a transaction begins. */
const MAX_TURNS = 16;
/** On a busy machine a turn can take as long as a flush. The first one that ends later is the last. */
const MAX_GATHER_MS = 5;
/** A transaction of this size waits for no more writes, since they would make it little cheaper for each. */
const ENOUGH_WRITES = 32;

export type Gathering = {
  waiting(): number;
  /** The number of writes in the latest transaction. */
  written: number;
  /** The most time for the gathering. */
  maxMs?: number | undefined;
};

/**
 * Waits for a turn of the event loop that adds no write, so that sockets are served and their writes join the
 * transaction. Clients whose writes were on disk together often return together, but not all in the same
 * turn. After a shared transaction two turns must be quiet. It waits for no timer.
 */
export async function gather({ waiting, written, maxMs = MAX_GATHER_MS }: Gathering): Promise<void> {
  const enough = written > 1 ? 2 : 1;
  let quiet = 0;
  const until = performance.now() + maxMs;
  for (let turn = 1; turn <= MAX_TURNS && quiet < enough; turn++) {
    const count = waiting();
    await nextTurn();
    quiet = waiting() > count ? 0 : quiet + 1;
    if (waiting() >= ENOUGH_WRITES || performance.now() >= until) return;
  }
}

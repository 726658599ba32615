import { Refusal } from '../../base/errors/refusal.ts';
import type { Clock } from '../../base/lib/clock.ts';
import { hashKey } from '../../money/accounts/key-format.ts';
import type { PeopleStore } from '../people/people-store.ts';
import { matching } from '../people/people-tests.ts';

const MAX_WRONG = 10;
const WINDOW_MS = 600_000;

export type CodeAttemptsParts = {
  store: PeopleStore;
  clock: Clock;
};

/**
 * Bounds the wrong codes that a session can enter, over all nodes. A code counts before it is looked up, so
 * that codes sent at once do not exceed the bound. A right code is taken off again.
 */
export class CodeAttempts {
  readonly #parts: CodeAttemptsParts;

  constructor(parts: CodeAttemptsParts) {
    this.#parts = parts;
  }

  /** Counts a code. Returns a refusal if there were too many wrong ones. */
  async count(sessionId: string): Promise<Refusal | undefined> {
    const { store, clock } = this.#parts;
    const now = clock.now();
    const { count, until } = await store.countAttempt(nameOf(sessionId), now, WINDOW_MS);
    return count > MAX_WRONG ? tooManyWrong(until - now) : undefined;
  }

  /** Takes a right code off the count. */
  async takeOff(sessionId: string): Promise<void> {
    const where = matching({ name: nameOf(sessionId) });
    await this.#parts.store.changePeople({
      writes: [{ kind: 'update', table: 'attempt', where, set: {}, add: { count: -1 } }],
    });
  }
}

const nameOf = (sessionId: string): string => hashKey(`device code ${sessionId}`);

const tooManyWrong = (retryAfterMs: number): Refusal =>
  new Refusal('rate_limit_exceeded', {
    message: `Too many wrong codes. Try again in ${Math.max(1, Math.ceil(retryAfterMs / 60_000))} minutes.`,
    retryAfterMs,
  });

import { Refusal } from '../../base/errors/refusal.ts';
import { hashKey } from '../../money/accounts/key-format.ts';
import type { PeopleStore } from '../people/people-store.ts';

const MAX_WRONG = 10;
const WINDOW_MS = 600_000;

/**
 * Bounds the wrong codes that a session can enter, over all nodes. A code counts before it is looked up, so
 * that many at once are no way around the bound. One that was right is taken off again.
 */
export class CodeAttempts {
  readonly #store: Pick<PeopleStore, 'countAttempt' | 'changePeople'>;

  constructor(store: Pick<PeopleStore, 'countAttempt' | 'changePeople'>) {
    this.#store = store;
  }

  /** Counts a code. Returns a refusal if there were too many wrong ones. */
  async count(sessionId: string): Promise<Refusal | undefined> {
    const now = Date.now();
    const { count, until } = await this.#store.countAttempt(nameOf(sessionId), now, WINDOW_MS);
    return count > MAX_WRONG ? tooManyWrong(until - now) : undefined;
  }

  async wasRight(sessionId: string): Promise<void> {
    const where = [{ column: 'name', value: nameOf(sessionId) }];
    await this.#store.changePeople({
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

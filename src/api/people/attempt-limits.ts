import { Refusal } from '../../base/errors/refusal.ts';
import { hashKey } from '../../money/accounts/key-format.ts';
import type { PeopleStore } from './people-store.ts';

const MINUTE_MS = 60_000;

/** The most attempts of one network, of one network for one subject, and for one subject from everywhere, in a window. */
type Bounds = { windowMs: number; network: number; pair: number; subject: number };

/** The subject is an email address, or the person of a session. */
const bounds = {
  'sign-in': { windowMs: 10 * MINUTE_MS, network: 100, pair: 20, subject: 100 },
  'admin-token': { windowMs: 10 * MINUTE_MS, network: 100, pair: 20, subject: 100 },
  'two-factor': { windowMs: 10 * MINUTE_MS, network: 60, pair: 60, subject: 60 },
  'sign-up': { windowMs: 60 * MINUTE_MS, network: 20, pair: 5, subject: 10 },
  reset: { windowMs: 60 * MINUTE_MS, network: 20, pair: 5, subject: 10 },
  verification: { windowMs: 60 * MINUTE_MS, network: 20, pair: 5, subject: 10 },
  link: { windowMs: 10 * MINUTE_MS, network: 60, pair: 60, subject: 60 },
  password: { windowMs: 10 * MINUTE_MS, network: 60, pair: 10, subject: 20 },
  invitation: { windowMs: 60 * MINUTE_MS, network: 200, pair: 100, subject: 100 },
} as const satisfies Record<string, Bounds>;

export type AttemptKind = keyof typeof bounds;
export type CountedAttempt = { kind: AttemptKind; network: string; subject: string };

/** Bounds attempts to sign in and the like. They are counted in the store, so that the bounds hold over all nodes. */
export class AttemptLimits {
  readonly #store: Pick<PeopleStore, 'countAttempt'>;

  constructor(store: Pick<PeopleStore, 'countAttempt'>) {
    this.#store = store;
  }

  /** Counts an attempt. Returns a refusal if there were too many. */
  async count({ kind, network, subject }: CountedAttempt): Promise<Refusal | undefined> {
    const { windowMs, ...most } = bounds[kind];
    const now = Date.now();
    const person = subject.toLowerCase();
    const counted = [
      { name: `${kind} network ${network}`, most: most.network },
      { name: `${kind} pair ${network} ${person}`, most: most.pair },
      { name: `${kind} subject ${person}`, most: most.subject },
    ];
    for (const { name, most: bound } of counted) {
      // A hash, since addresses of strangers are nobody's business.
      const { count, until } = await this.#store.countAttempt(hashKey(name), now, windowMs);
      if (count > bound) return tooMany(until - now);
    }
    return undefined;
  }
}

const tooMany = (retryAfterMs: number): Refusal =>
  new Refusal('rate_limit_exceeded', {
    message: `Too many attempts. Try again in ${Math.max(1, Math.ceil(retryAfterMs / MINUTE_MS))} minutes.`,
    retryAfterMs,
  });

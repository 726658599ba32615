import { Refusal } from '../../base/errors/refusal.ts';
import { MINUTE_MS } from '../../base/lib/units.ts';
import { hashKey } from '../../money/accounts/key-format.ts';
import type { PeopleStore } from './people-store.ts';

/**
 * The most attempts in a window: of one network (an IPv4 address or a /64), of one network for one subject,
 * and for one subject from everywhere.
 */
type Bounds = { windowMs: number; network: number; pair: number; subject: number };

/** The subject is an email address, or the person of a session. */
const bounds = {
  'sign-in': { windowMs: 10 * MINUTE_MS, network: 100, pair: 20, subject: 20 },
  'admin-token': { windowMs: 10 * MINUTE_MS, network: 100, pair: 20, subject: 100 },
  'two-factor': { windowMs: 10 * MINUTE_MS, network: 60, pair: 60, subject: 60 },
  'sign-up': { windowMs: 60 * MINUTE_MS, network: 20, pair: 5, subject: 10 },
  reset: { windowMs: 60 * MINUTE_MS, network: 20, pair: 5, subject: 10 },
  verification: { windowMs: 60 * MINUTE_MS, network: 20, pair: 5, subject: 10 },
  link: { windowMs: 10 * MINUTE_MS, network: 60, pair: 60, subject: 60 },
  password: { windowMs: 10 * MINUTE_MS, network: 60, pair: 10, subject: 20 },
  device: { windowMs: 60 * MINUTE_MS, network: 30, pair: 30, subject: 30 },
  invitation: { windowMs: 60 * MINUTE_MS, network: 200, pair: 100, subject: 100 },
} as const satisfies Record<string, Bounds>;

/** The multiples of a network's bound that wider networks get: for IPv6 a /56 and a /48, for IPv4 a /24. */
const IPV6_FACTORS = [1, 2, 4];
const IPV4_FACTORS = [1, 4];
/** The most attempts of one known device for one person. */
const MAX_OF_DEVICE = 20;
/** Exhausted shares that a node remembers, so that a flood is refused without the store. */
const MAX_REMEMBERED = 10_000;
/** Refusals of exhausted shares come late, so that a flood that waits for its answers sends less. */
const SLOWED_MS = 1_000;
const MAX_SLOWED = 1_000;

export type AttemptKind = keyof typeof bounds;
export type CountedAttempt = {
  kind: AttemptKind;
  /** The networks of the client, the narrowest first. */
  networks: readonly string[];
  /** Undefined if only the networks count. */
  subject?: string;
  /**
   * The device of an earlier sign-in of the subject. It has a share of its own, which a flood cannot use up.
   */
  device?: string | undefined;
};

export type AttemptLimitsParts = { store: PeopleStore; now(): number };

type Share = { name: string; limit: number };

/**
 * Bounds attempts to sign in and the like. Attempts are counted in the store, so that the bounds hold over
 * all nodes.
 */
export class AttemptLimits {
  readonly #parts: AttemptLimitsParts;
  /** The end of each exhausted share's window. A count never falls within its window. */
  readonly #exhausted = new Map<string, number>();
  #slowed = 0;

  constructor(parts: AttemptLimitsParts) {
    this.#parts = parts;
  }

  /**
   * Counts an attempt. Returns a refusal if there were too many. The first exhausted share refuses, and later
   * ones do not count.
   */
  async count(attempt: CountedAttempt): Promise<Refusal | undefined> {
    const now = this.#parts.now();
    // The name is hashed, so that the store has no addresses of strangers.
    const shares = sharesOf(attempt).map(({ name, limit }) => ({ name: hashKey(name), limit }));
    const { windowMs } = bounds[attempt.kind];
    for (const { name } of shares) {
      const leftMs = (this.#exhausted.get(name) ?? 0) - now;
      // A window never lasts longer, except after the clock was set back.
      if (leftMs <= 0 || leftMs > 2 * windowMs) continue;
      await this.#slowDown();
      return tooMany(leftMs);
    }
    for (const { name, limit } of shares) {
      const { count, until } = await this.#parts.store.countAttempt(name, now, windowMs);
      if (count >= limit) this.#remember(name, until, now);
      if (count > limit) return tooMany(until - now);
    }
    return undefined;
  }

  async #slowDown(): Promise<void> {
    if (this.#slowed >= MAX_SLOWED) return;
    this.#slowed++;
    await Bun.sleep(SLOWED_MS);
    this.#slowed--;
  }

  #remember(name: string, until: number, now: number): void {
    if (this.#exhausted.size >= MAX_REMEMBERED)
      for (const [share, end] of this.#exhausted) if (end <= now) this.#exhausted.delete(share);
    const [oldest] = this.#exhausted.keys();
    if (oldest !== undefined && this.#exhausted.size >= MAX_REMEMBERED) this.#exhausted.delete(oldest);
    this.#exhausted.set(name, until);
  }
}

function sharesOf({ kind, networks, subject, device }: CountedAttempt): Share[] {
  const limits: Bounds = bounds[kind];
  if (device !== undefined) return [{ name: `${kind} device ${device}`, limit: MAX_OF_DEVICE }];
  const factors = networks.length === IPV6_FACTORS.length ? IPV6_FACTORS : IPV4_FACTORS;
  const ofNetworks = networks.map((network, index) => ({
    name: `${kind} network ${network}`,
    limit: limits.network * factors[index]!,
  }));
  if (subject === undefined) return ofNetworks;
  const person = subject.toLowerCase();
  return [
    ...ofNetworks,
    { name: `${kind} pair ${networks[0]} ${person}`, limit: limits.pair },
    { name: `${kind} subject ${person}`, limit: limits.subject },
  ];
}

const tooMany = (retryAfterMs: number): Refusal =>
  new Refusal('rate_limit_exceeded', {
    message: `Too many attempts. Try again in ${Math.max(1, Math.ceil(retryAfterMs / MINUTE_MS))} minutes.`,
    retryAfterMs,
  });

import { Refusal } from '../../base/errors/refusal.ts';
import type { Clock } from '../../base/lib/clock.ts';
import { andThen, type MaybeLater } from '../../base/lib/maybe-later.ts';
import { msOf } from '../../base/lib/units.ts';
import type { Exchange } from '../../edge/http/exchange.ts';
import type { Principal } from '../auth/principal.ts';
import { figuresOf } from './figures-of.ts';
import { quotaBytes, type StoredBytes } from './stored-bytes.ts';

/** The reason why something is not stored. */
export type NoSpace = 'quota' | 'space';

type StoredKind = 'response' | 'batch';

export type StorageLimitsParts = {
  stored: StoredBytes;
  space: { readonly isLow: boolean };
  clock: Clock;
  /** Observes everything that is not stored. */
  observe(kind: StoredKind, reason: NoSpace): void;
};

/** `name`: the name in the message. `lifeMs`: the time after which stored data of the kind expires. */
type StorageOrder = { bytes: number; kind: StoredKind; name: string; lifeMs: number };

/** The wait suggested while the disk is full. The time of recovery is unknown. */
const SPACE_WAIT_MS = 60_000;

const A_BATCH: Pick<StorageOrder, 'kind' | 'name'> = { kind: 'batch', name: 'batch' };

/** Limits stored bytes per account, and by free disk space. */
export class StorageLimits {
  readonly #parts: StorageLimitsParts;

  constructor(parts: StorageLimitsParts) {
    this.#parts = parts;
  }

  /** Returns the reason why a response of this size is not stored, or undefined if it is stored. */
  noSpaceFor(exchange: Exchange, principal: Principal, bytes: number): MaybeLater<NoSpace | undefined> {
    const { stored, space, observe } = this.#parts;
    if (space.isLow) {
      observe('response', 'space');
      return 'space';
    }
    const quota = this.quotaOf(exchange, principal);
    if (quota === null) return undefined;
    return andThen(stored.storedBytes(principal.account.id), (used) => {
      if (used + bytes <= quota) return undefined;
      observe('response', 'quota');
      return 'quota';
    });
  }

  /** Returns the quota in bytes, or null if there is none. */
  quotaOf(exchange: Exchange, principal: Principal): number | null {
    return quotaBytes(figuresOf(exchange, principal).storedMb);
  }

  /** Refuses a batch until its account has space for it. */
  refuseBatch(exchange: Exchange, principal: Principal, bytes: number): Promise<Refusal | undefined> {
    const lifeMs = msOf(exchange.snapshot.config.retention.batches_s);
    return this.#refuse(exchange, principal, { bytes, kind: 'batch', name: 'batch', lifeMs });
  }

  /** Refuses what a client stores on purpose, like a batch. `name` is its name in the message. */
  refuseStored(
    exchange: Exchange,
    principal: Principal,
    { bytes, name }: { bytes: number; name: string },
  ): Promise<Refusal | undefined> {
    const lifeMs = msOf(exchange.snapshot.config.retention.responses_s);
    return this.#refuse(exchange, principal, { bytes, kind: 'response', name, lifeMs });
  }

  /** Refuses what exceeds the quota, until enough of the account's stored data has expired. */
  async #refuse(
    exchange: Exchange,
    principal: Principal,
    { bytes, kind, name, lifeMs }: StorageOrder,
  ): Promise<Refusal | undefined> {
    const { stored, clock, observe } = this.#parts;
    const quota = this.quotaOf(exchange, principal);
    if (quota === null) return undefined;
    const { id } = principal.account;
    const excess = (await stored.storedBytes(id)) + bytes - quota;
    if (excess <= 0) return undefined;
    const now = clock.now();
    const freedAt = await stored.expiryOf(id, excess);
    if (freedAt !== undefined && freedAt <= now) return undefined;
    observe(kind, 'quota');
    return new Refusal('rate_limit_exceeded', {
      message: quotaMessage({ quota, bytes, name, isTooLarge: bytes > quota }),
      // For what never fits, the wait is the whole lifetime of stored data.
      retryAfterMs: freedAt === undefined ? lifeMs : freedAt - now,
    });
  }

  /** Refuses deferrable work while the disk is nearly full. `name` is its name in the message. */
  refuseAsFull({ kind, name } = A_BATCH): Refusal | undefined {
    const { space, observe } = this.#parts;
    if (!space.isLow) return undefined;
    observe(kind, 'space');
    return new Refusal('capacity_unavailable', {
      message: `The server has little disk space left and stores no ${name} at the moment.`,
      retryAfterMs: SPACE_WAIT_MS,
      reason: 'disk',
    });
  }
}

type QuotaFacts = { quota: number; bytes: number; name: string; isTooLarge: boolean };

function quotaMessage({ quota, bytes, name, isTooLarge }: QuotaFacts): string {
  const limit = `The plan's quota of stored bytes (responses, batches and results) is ${format(quota)}`;
  return isTooLarge
    ? `${limit}, and the ${name} alone takes ${format(bytes)}.`
    : `${limit}. The ${name} takes ${format(bytes)}; it fits when enough stored data has expired or been deleted.`;
}

const format = (bytes: number): string => bytes.toLocaleString('en-US');

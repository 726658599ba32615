import type { Refusal } from '../../base/errors/refusal.ts';
import { after, type MaybeLater } from '../../base/lib/after.ts';
import { clientNetwork } from '../../edge/http/client-network.ts';
import type { Exchange } from '../../edge/http/exchange.ts';
import type { Principal } from '../auth/principal.ts';
import { StaleCaller } from '../auth/stale-caller.ts';
import type { HoldOrder } from '../ledger/hold.ts';
import { figuresOf } from './figures-of.ts';
import type { CheckedVersions, Gate } from './gate.ts';
import type { LimitCount } from './limit-count.ts';
import type { LimitedKey, LimitedRequest } from './limiter.ts';
import { writeLimitHeaders } from './write-limit-headers.ts';

/**
 * `requests`: the number to count in the windows, 1 by default.
 * Together they count once against the concurrency limit.
 */
export type LimitUse = { requests?: number | undefined; tokens: number; isConcurrent: boolean };

/** Applies the gate's limits to exchanges: selects the figures and the network, and writes the headers. */
export class Limits {
  readonly gate: Gate;

  constructor(gate: Gate) {
    this.gate = gate;
  }

  /** Counts a request that needs no credit. Throws a `StaleCaller` if the account or the key has changed. */
  take(exchange: Exchange, principal: Principal, taken: LimitUse): MaybeLater<LimitCount | Refusal> {
    const limits = limitedRequest(exchange, principal, taken);
    return after(this.gate.take({ limits, versions: versionsOf(principal) }), unlessStale);
  }

  /** Returns the refusal that limits would give now to a request whose credit is checked elsewhere. */
  refusalFor(
    exchange: Exchange,
    principal: Principal,
    { credit, ...taken }: LimitUse & { credit: HoldOrder },
  ): MaybeLater<Refusal | undefined> {
    const order = {
      credit: unlimited(credit),
      limits: limitedRequest(exchange, principal, taken),
      versions: versionsOf(principal),
    };
    return after(this.gate.ask(order), (forecast) => {
      if (forecast.kind === 'stale') throw new StaleCaller();
      return forecast.kind === 'limited' ? forecast.refusal : undefined;
    });
  }

  /** Counts a request that calls no model. */
  read(exchange: Exchange, principal: Principal, count = 1): MaybeLater<Refusal | 'stale' | undefined> {
    return this.gate.read({
      accountId: principal.account.id,
      figures: figuresOf(exchange, principal),
      key: limitedKey(principal),
      versions: versionsOf(principal),
      count,
    });
  }

  /**
   * Counts a call that loads much data as several reads.
   * Throws a `StaleCaller` if the account or the key has changed.
   */
  load(exchange: Exchange, principal: Principal, count: number): MaybeLater<Refusal | undefined> {
    return after(this.read(exchange, principal, count), unlessStale);
  }

  /** Writes the limit headers of an answer whose head is about to be sent. */
  announce(exchange: Exchange, principal: Principal): void {
    const figures = figuresOf(exchange, principal);
    writeLimitHeaders(
      exchange.headers,
      this.gate.stateOf(principal.account.id, figures, limitedKey(principal)),
    );
  }
}

export function limitedRequest(exchange: Exchange, principal: Principal, taken: LimitUse): LimitedRequest {
  const { requests = 1, tokens, isConcurrent } = taken;
  const figures = figuresOf(exchange, principal);
  const network = figures.networkRequestsPerMinute === null ? undefined : clientNetwork(exchange);
  const key = limitedKey(principal);
  return { accountId: principal.account.id, figures, key, network, requests, tokens, isConcurrent };
}

/** Returns the versions that the gate compares with the current ones. */
export const versionsOf = ({ account, apiKey }: Principal): CheckedVersions => ({
  account: account.version,
  key: apiKey.version,
});

const limitedKey = ({ apiKey: { id, limits } }: Principal): LimitedKey | undefined =>
  limits === null ? undefined : { id, limits };

function unlessStale<T>(answer: T | 'stale'): T {
  if (answer === 'stale') throw new StaleCaller();
  return answer;
}

/** Returns an order that no balance, cap or day limits. */
const unlimited = (order: HoldOrder): HoldOrder => ({
  ...order,
  pays: 'monthly',
  period: { ...order.period, limitMicrocredits: null },
  keyCapMicrocredits: null,
  worst: null,
  tokensPerDay: null,
  isBudgeted: false,
});

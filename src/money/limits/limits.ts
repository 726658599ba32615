import type { Refusal } from '../../base/errors/refusal.ts';
import { andThen, type MaybeLater } from '../../base/lib/maybe-later.ts';
import type { Exchange } from '../../edge/http/exchange.ts';
import type { Principal } from '../auth/principal.ts';
import { StaleCaller } from '../auth/stale-caller.ts';
import type { HoldOrder } from '../ledger/hold.ts';
import { checkedVersions } from './checked-versions.ts';
import { figuresOf } from './figures-of.ts';
import type { Gate } from './gate.ts';
import type { LimitCount } from './limit-count.ts';
import { type LimitUse, limitedKey, limitedRequest } from './limited-request.ts';
import { writeLimitHeaders } from './write-limit-headers.ts';

/** Applies the gate's limits to exchanges: selects the figures and the network, and writes the headers. */
export class Limits {
  readonly gate: Gate;

  constructor(gate: Gate) {
    this.gate = gate;
  }

  /** Counts a request that needs no credit. Throws a `StaleCaller` if the account or the key has changed. */
  take(exchange: Exchange, principal: Principal, use: LimitUse): MaybeLater<LimitCount | Refusal> {
    const limits = limitedRequest(exchange, principal, use);
    return andThen(this.gate.take({ limits, versions: checkedVersions(principal) }), unlessStale);
  }

  /** Returns the refusal that limits would give now to a request whose credit is checked elsewhere. */
  refusalFor(
    exchange: Exchange,
    principal: Principal,
    { credit, ...use }: LimitUse & { credit: HoldOrder },
  ): MaybeLater<Refusal | undefined> {
    const order = {
      credit: unlimited(credit),
      limits: limitedRequest(exchange, principal, use),
      versions: checkedVersions(principal),
    };
    return andThen(this.gate.ask(order), (forecast) => {
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
      versions: checkedVersions(principal),
      count,
    });
  }

  /**
   * Counts a call that loads much data as several reads.
   * Throws a `StaleCaller` if the account or the key has changed.
   */
  load(exchange: Exchange, principal: Principal, count: number): MaybeLater<Refusal | undefined> {
    return andThen(this.read(exchange, principal, count), unlessStale);
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

import type { LimitFigures } from '../../../money/limits/limit-figures.ts';
import { type LimitLeft, type LimitState, tighterLimit } from '../../../money/limits/limit-state.ts';
import type { LimitedKey } from '../../../money/limits/limiter.ts';
import { accountScope, keyScope } from './gate-names.ts';

/** A scope's totals, and the times at which its windows are empty if nothing is added. */
export type ScopeTotals = [requests: number, requestsEndAt: number, tokens: number, tokensEndAt: number];

const MAX_SCOPES = 20_000;
const NOTHING: ScopeTotals = [0, 0, 0, 0];

/** The totals of the latest answers of the gate, for the headers of responses. */
export class LimitMirror {
  readonly #scopes = new Map<string, ScopeTotals>();
  /** The database's clock minus this process's monotonic clock. */
  #aheadMs = 0;

  note(scopes: readonly string[], totals: readonly ScopeTotals[], nowMs: number): void {
    this.#aheadMs = nowMs - performance.now();
    if (this.#scopes.size > MAX_SCOPES) this.#scopes.clear();
    scopes.forEach((scope, index) => {
      this.#scopes.set(scope, totals[index]!);
    });
  }

  stateOf(accountId: string, figures: LimitFigures, key?: LimitedKey): LimitState {
    const now = performance.now() + this.#aheadMs;
    const account = this.#scopes.get(accountScope(accountId)) ?? NOTHING;
    const requests = limitLeft(account[0], account[1] - now, figures.requestsPerMinute);
    const tokens = limitLeft(account[2], account[3] - now, figures.tokensPerMinute);
    if (!key) return { requests, tokens };
    const own = this.#scopes.get(keyScope(key.id)) ?? NOTHING;
    const { requestsPerMin, tokensPerMin } = key.limits;
    return {
      requests: requestsPerMin
        ? tighterLimit(requests, limitLeft(own[0], own[1] - now, requestsPerMin))
        : requests,
      tokens: tokensPerMin ? tighterLimit(tokens, limitLeft(own[2], own[3] - now, tokensPerMin)) : tokens,
    };
  }
}

const limitLeft = (taken: number, resetMs: number, limit: number): LimitLeft =>
  resetMs > 0
    ? { limit, remaining: Math.max(0, limit - taken), resetMs }
    : { limit, remaining: limit, resetMs: 0 };

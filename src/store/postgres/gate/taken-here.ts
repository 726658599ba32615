import { AccountWindows } from '../../../money/limits/account-windows.ts';
import type { LimitedRequest } from '../../../money/limits/limiter.ts';
import { accountScope, keyScope, networkScope } from './gate-names.ts';
import type { GateReturn } from './gate-op.ts';

/** The amounts that one account, key or network has taken. */
type Scope = { windows: AccountWindows; places: number };

/** An amount in a bin of a window. The windows are numbered from 1, in the order of `limit_state.bins`. */
type TakenBin = [window: number, bin: number, amount: number];

/** The values that the database needs to count again. */
export type TakenScope = { scope: string; places: number; bins: TakenBin[] };

const SWEEP_EVERY_MS = 60_000;

/**
 * The amounts that this node has taken from the windows, by the database's clock.
 * It is written back if the database loses its windows.
 */
export class TakenHere {
  readonly #scopes = new Map<string, Scope>();
  #nextSweepMs = 0;

  take(limits: LimitedRequest, nowMs: number): void {
    this.#sweep(nowMs);
    const { network, figures, requests, tokens, isConcurrent } = limits;
    const scopes = this.#counting(limits);
    if (figures.requestsPer5Minutes !== null) scopes[0].windows.longRequests.take(nowMs, requests);
    for (const scope of scopes) {
      scope.windows.requests.take(nowMs, requests);
      scope.windows.tokens.take(nowMs, tokens);
      if (isConcurrent) scope.places += 1;
    }
    if (network !== undefined) this.#of(networkScope(network)).windows.requests.take(nowMs, requests);
  }

  read(accountId: string, count: number, nowMs: number): void {
    this.#of(accountScope(accountId)).windows.reads.take(nowMs, count);
  }

  giveBack(
    limits: LimitedRequest,
    { takenAt, endsConcurrency, tokens, isUncounted }: GateReturn,
    nowMs: number,
  ): void {
    const { network, figures, requests } = limits;
    const scopes = this.#counting(limits);
    for (const { windows } of scopes) {
      const excess = limits.tokens - (tokens ?? limits.tokens);
      if (excess < 0) windows.tokens.take(nowMs, -excess);
      else if (excess > 0) windows.tokens.giveBack(takenAt, nowMs, excess);
      if (isUncounted) windows.requests.giveBack(takenAt, nowMs, requests);
    }
    if (isUncounted && figures.requestsPer5Minutes !== null)
      scopes[0].windows.longRequests.giveBack(takenAt, nowMs, requests);
    if (isUncounted && network !== undefined)
      this.#of(networkScope(network)).windows.requests.giveBack(takenAt, nowMs, requests);
    if (endsConcurrency) this.leave(limits);
  }

  /** Returns the place of a request. */
  leave(limits: LimitedRequest): void {
    for (const scope of this.#counting(limits)) scope.places = Math.max(0, scope.places - 1);
  }

  /** Forgets the places, which a closed node has lost. */
  clearPlaces(): void {
    for (const scope of this.#scopes.values()) scope.places = 0;
  }

  /** Returns what counts at a time. */
  scopes(nowMs: number): TakenScope[] {
    return [...this.#scopes].map(([scope, { windows, places }]) => {
      const inOrder = [windows.requests, windows.tokens, windows.longRequests, windows.reads];
      const bins = inOrder.flatMap((window, index) =>
        window.filled(nowMs).map(([bin, amount]): TakenBin => [index + 1, bin, amount]),
      );
      return { scope, places, bins };
    });
  }

  /** Returns the scopes that count the tokens and the place of a request: its account and its key. */
  #counting({ accountId, key }: LimitedRequest): [account: Scope, ...keys: Scope[]] {
    const account = this.#of(accountScope(accountId));
    return key ? [account, this.#of(keyScope(key.id))] : [account];
  }

  #of(name: string): Scope {
    const existingScope = this.#scopes.get(name);
    if (existingScope) return existingScope;
    const scope = { windows: new AccountWindows(), places: 0 };
    this.#scopes.set(name, scope);
    return scope;
  }

  #sweep(nowMs: number): void {
    if (nowMs < this.#nextSweepMs) return;
    this.#nextSweepMs = nowMs + SWEEP_EVERY_MS;
    for (const [name, { windows, places }] of this.#scopes)
      if (places === 0 && windows.isEmpty(nowMs)) this.#scopes.delete(name);
  }
}

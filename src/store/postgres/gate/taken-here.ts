import { AccountWindows } from '../../../money/limits/account-windows.ts';
import type { LimitedRequest } from '../../../money/limits/limiter.ts';
import { accountScope, type GateReturn, keyScope, networkScope } from './gate-op.ts';

type Scope = { windows: AccountWindows; places: number };

/**
 * The values that the database needs to count again: `bins` are the window's number
 * from 1, the bin and the amount.
 */
export type TakenScope = { scope: string; places: number; bins: [number, number, number][] };

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
    const { accountId, key, network, figures, requests, tokens, isConcurrent } = limits;
    const account = this.#of(accountScope(accountId));
    if (figures.requestsPer5Minutes !== null) account.windows.longRequests.take(nowMs, requests);
    for (const scope of key ? [account, this.#of(keyScope(key.id))] : [account]) {
      scope.windows.requests.take(nowMs, requests);
      scope.windows.tokens.take(nowMs, tokens);
      if (isConcurrent) scope.places += 1;
    }
    if (network !== undefined) this.#of(networkScope(network)).windows.requests.take(nowMs, requests);
  }

  read(accountId: string, count: number, nowMs: number): void {
    this.#of(accountScope(accountId)).windows.reads.take(nowMs, count);
  }

  giveBack(limits: LimitedRequest, { takenAt, place, tokens, everything }: GateReturn, nowMs: number): void {
    const { accountId, key, network, figures, requests } = limits;
    const account = this.#of(accountScope(accountId));
    for (const { windows } of key ? [account, this.#of(keyScope(key.id))] : [account]) {
      const excess = limits.tokens - (tokens ?? limits.tokens);
      if (excess < 0) windows.tokens.take(nowMs, -excess);
      else if (excess > 0) windows.tokens.giveBack(takenAt, nowMs, excess);
      if (everything) windows.requests.giveBack(takenAt, nowMs, requests);
    }
    if (everything && figures.requestsPer5Minutes !== null)
      account.windows.longRequests.giveBack(takenAt, nowMs, requests);
    if (everything && network !== undefined)
      this.#of(networkScope(network)).windows.requests.giveBack(takenAt, nowMs, requests);
    if (place) this.leave(limits);
  }

  /** Returns the place of a request. */
  leave({ accountId, key }: LimitedRequest): void {
    for (const name of key ? [accountScope(accountId), keyScope(key.id)] : [accountScope(accountId)]) {
      const scope = this.#of(name);
      scope.places = Math.max(0, scope.places - 1);
    }
  }

  /** Forgets the places, which a closed node has lost. */
  clearPlaces(): void {
    for (const scope of this.#scopes.values()) scope.places = 0;
  }

  scopes(nowMs: number): TakenScope[] {
    return [...this.#scopes].map(([scope, { windows, places }]) => {
      const all = [windows.requests, windows.tokens, windows.longRequests, windows.reads];
      const bins = all.flatMap((window, index) =>
        window.filled(nowMs).map(([bin, amount]): [number, number, number] => [index + 1, bin, amount]),
      );
      return { scope, places, bins };
    });
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

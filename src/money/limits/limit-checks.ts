import type { KeyLimits } from '../accounts/api-key.ts';
import type { AccountWindows } from './account-windows.ts';
import { CONCURRENCY_WAIT_MS, type LimitFault, type LimitFaultKind } from './limit-fault.ts';
import type { LimitFigures } from './limit-figures.ts';
import type { SlidingWindow } from './sliding-window.ts';

/** The limits of a key, and the windows that count its requests. */
export type KeyWindows = { limits: KeyLimits; windows: AccountWindows };

/** The amounts that a request would take, and the windows that count them. */
export type LimitedAmounts = {
  figures: LimitFigures;
  windows: AccountWindows;
  /** Present if the key has limits of its own. */
  key: KeyWindows | undefined;
  /** The window of the client's network, if the plan has a limit for it. */
  network: SlidingWindow | undefined;
  /** The number of requests to count: one for each answer that the client asks for. */
  requests: number;
  /** Estimated input tokens. */
  tokens: number;
  /** True if the request counts against the concurrency limit while it is served. */
  isConcurrent: boolean;
};

/** Returns the fault by one limit, if the limit refuses the request. */
type LimitCheck = (amounts: LimitedAmounts, nowMs: number) => LimitFault | undefined;

/**
 * Returns the fault by the limit of a window, if it refuses the amount. Every request calls it, so its
 * arguments are not wrapped in an object.
 */
function windowFault(
  window: SlidingWindow,
  nowMs: number,
  kind: LimitFaultKind,
  amount: number,
  limit: number,
): LimitFault | undefined {
  const waitMs = window.waitMsFor(amount, limit, nowMs);
  return waitMs === 0 ? undefined : { kind, waitMs, used: window.total(nowMs) };
}

/** The checks in the order of reporting. Nothing is taken before all of them pass. */
export const limitChecks: readonly LimitCheck[] = [
  ({ figures, windows, requests }, nowMs) =>
    windowFault(windows.requests, nowMs, 'requests', requests, figures.requestsPerMinute),

  ({ figures: { requestsPer5Minutes: limit }, windows, requests }, nowMs) =>
    limit === null ? undefined : windowFault(windows.longRequests, nowMs, 'long-requests', requests, limit),

  ({ figures: { networkRequestsPerMinute: limit }, network, requests }, nowMs) =>
    !network || limit === null ? undefined : windowFault(network, nowMs, 'network', requests, limit),

  ({ figures, windows, tokens }, nowMs) =>
    windowFault(windows.tokens, nowMs, 'tokens', tokens, figures.tokensPerMinute),

  ({ figures, windows, isConcurrent }) =>
    !isConcurrent || windows.underWay < figures.concurrent
      ? undefined
      : { kind: 'concurrent', waitMs: CONCURRENCY_WAIT_MS, used: windows.underWay },
];

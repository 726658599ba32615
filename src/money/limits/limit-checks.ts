import { READS_PER_REQUEST } from '../../settings/plans/plan.ts';
import type { KeyLimits } from '../accounts/api-key.ts';
import type { AccountWindows } from './account-windows.ts';
import { CONCURRENCY_WAIT_MS, type LimitFault } from './limit-fault.ts';
import type { LimitFigures } from './limit-figures.ts';
import type { SlidingWindow } from './sliding-window.ts';

/** The limits of a key, and the windows that count its requests. */
export type KeyTaking = { limits: KeyLimits; windows: AccountWindows };

/** The amounts that a request would take. */
export type Taking = {
  figures: LimitFigures;
  windows: AccountWindows;
  /** Present if the key has limits of its own. */
  key: KeyTaking | undefined;
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
type LimitCheck = (taking: Taking, nowMs: number) => LimitFault | undefined;

const requestsFault: LimitCheck = ({ figures, windows, requests }, nowMs) => {
  const waitMs = waitFor(requests, windows.requests, figures.requestsPerMinute, nowMs);
  return waitMs === 0 ? undefined : { kind: 'requests', waitMs, used: windows.requests.total(nowMs) };
};

const longRequestsFault: LimitCheck = ({ figures, windows, requests }, nowMs) => {
  const limit = figures.requestsPer5Minutes;
  if (limit === null) return undefined;
  const waitMs = waitFor(requests, windows.longRequests, limit, nowMs);
  const used = windows.longRequests.total(nowMs);
  return waitMs === 0 ? undefined : { kind: 'long-requests', waitMs, used };
};

const networkFault: LimitCheck = ({ figures, network, requests }, nowMs) => {
  const limit = figures.networkRequestsPerMinute;
  if (!network || limit === null) return undefined;
  const waitMs = waitFor(requests, network, limit, nowMs);
  return waitMs === 0 ? undefined : { kind: 'network', waitMs, used: network.total(nowMs) };
};

const tokensFault: LimitCheck = ({ figures, windows, tokens }, nowMs) => {
  const waitMs = waitFor(tokens, windows.tokens, figures.tokensPerMinute, nowMs);
  return waitMs === 0 ? undefined : { kind: 'tokens', waitMs, used: windows.tokens.total(nowMs) };
};

const concurrencyFault: LimitCheck = ({ figures, windows, isConcurrent }) =>
  !isConcurrent || windows.underWay < figures.concurrent
    ? undefined
    : { kind: 'concurrent', waitMs: CONCURRENCY_WAIT_MS, used: windows.underWay };

/** The checks in the order of reporting. Nothing is taken before all of them pass. */
export const limitChecks: readonly LimitCheck[] = [
  requestsFault,
  longRequestsFault,
  networkFault,
  tokensFault,
  concurrencyFault,
];

/**
 * Returns the fault that refuses `count` more reads.
 * A call that counts more than the whole window passes if the window is empty.
 */
export function readFault(
  window: SlidingWindow,
  { requestsPerMinute }: LimitFigures,
  { nowMs, count }: { nowMs: number; count: number },
): LimitFault | undefined {
  const space = Math.max(1, requestsPerMinute * READS_PER_REQUEST - count);
  const used = window.total(nowMs);
  return used <= space ? undefined : { kind: 'reads', waitMs: window.waitMs(nowMs, space), used };
}

/**
 * Returns the time until the window admits the amount. An amount above the limit passes if the window is
 * empty. Every request calls it, so the arguments are not wrapped in an object.
 */
export function waitFor(amount: number, window: SlidingWindow, limit: number, nowMs: number): number {
  const taken = window.total(nowMs);
  return taken === 0 || taken + amount <= limit ? 0 : window.waitMs(nowMs, Math.max(0, limit - amount));
}

import type { ErrorCode } from '../../base/errors/catalogue.ts';
import { READS_PER_REQUEST } from '../../settings/plans/plan.ts';
import type { KeyLimits } from '../accounts/api-key.ts';
import type { AccountWindows } from './account-windows.ts';
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
  /** Whether the request counts against the concurrency limit while it is served. */
  isConcurrent: boolean;
};

export type LimitFault = { code: ErrorCode; waitMs: number; message: string };

/** The end of a running request is unknown. This wait is a typical one. */
export const CONCURRENCY_WAIT_MS = 1_000;

type LimitCheck = (taking: Taking, nowMs: number) => LimitFault | undefined;

/** The checks in the order of reporting. Nothing is taken before all of them pass. */
export const limitChecks: readonly LimitCheck[] = [
  ({ figures, windows, requests }, nowMs) => {
    const limit = figures.requestsPerMinute;
    const waitMs = waitFor(requests, windows.requests, limit, nowMs);
    return waitMs === 0
      ? undefined
      : { code: 'rate_limit_exceeded', waitMs, message: requestsMessage(limit, 'a minute') };
  },
  ({ figures, windows, requests }, nowMs) => {
    const limit = figures.requestsPer5Minutes;
    const waitMs = limit === null ? 0 : waitFor(requests, windows.longRequests, limit, nowMs);
    return waitMs === 0
      ? undefined
      : { code: 'rate_limit_exceeded', waitMs, message: requestsMessage(limit!, 'five minutes') };
  },
  ({ figures, network, requests }, nowMs) => {
    const limit = figures.networkRequestsPerMinute;
    const waitMs = !network || limit === null ? 0 : waitFor(requests, network, limit, nowMs);
    return waitMs === 0
      ? undefined
      : { code: 'network_rate_limited', waitMs, message: networkMessage(limit!) };
  },
  ({ figures, windows, tokens }, nowMs) => {
    const limit = figures.tokensPerMinute;
    const waitMs = waitFor(tokens, windows.tokens, limit, nowMs);
    return waitMs === 0
      ? undefined
      : { code: 'tokens_per_minute_exceeded', waitMs, message: tokensMessage(limit) };
  },
  ({ figures, windows, isConcurrent }) =>
    !isConcurrent || windows.underWay < figures.concurrent
      ? undefined
      : {
          code: 'concurrency_limit_exceeded',
          waitMs: CONCURRENCY_WAIT_MS,
          message: `The plan's limit is ${format(figures.concurrent)} requests at a time.`,
        },
];

/** The fault that refuses `count` more reads. A call that counts more than the whole window passes if the window is empty. */
export function readFault(
  window: SlidingWindow,
  { requestsPerMinute }: LimitFigures,
  { nowMs, count }: { nowMs: number; count: number },
): LimitFault | undefined {
  const limit = requestsPerMinute * READS_PER_REQUEST;
  const room = Math.max(1, limit - count);
  if (window.total(nowMs) <= room) return undefined;
  return {
    code: 'rate_limit_exceeded',
    waitMs: window.waitMs(nowMs, room),
    message: `The plan's limit is ${format(limit)} reads in a minute: ${READS_PER_REQUEST} for each of its requests.`,
  };
}

/** The time until the window has room for the amount. An amount above the limit passes if the window is empty. */
// Called for every request, so the arguments are not wrapped in an object.
export function waitFor(amount: number, window: SlidingWindow, limit: number, nowMs: number): number {
  const taken = window.total(nowMs);
  return taken === 0 || taken + amount <= limit ? 0 : window.waitMs(nowMs, Math.max(0, limit - amount));
}

const requestsMessage = (limit: number, span: string): string =>
  `The plan's limit is ${format(limit)} requests in ${span}.`;

const tokensMessage = (limit: number): string => `The plan's limit is ${format(limit)} tokens a minute.`;

const networkMessage = (limit: number): string =>
  `The limit for one client network on this plan is ${format(limit)} requests a minute.`;

export const format = (count: number): string => count.toLocaleString('en-US');

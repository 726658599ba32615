import type { ErrorCode } from '../errors/catalogue.ts';
import { READS_PER_REQUEST } from '../plans/plan.ts';
import type { AccountWindows } from './account-windows.ts';
import type { LimitFigures } from './limit-figures.ts';
import type { SlidingWindow } from './sliding-window.ts';

/** What a request would take. */
export type Taking = {
  figures: LimitFigures;
  windows: AccountWindows;
  /** Of the client's network, where the plan has a limit for it. */
  network: SlidingWindow | undefined;
  /** Estimated input. */
  tokens: number;
  /** Whether it is served for a while, or answered at once. */
  holdsSlot: boolean;
};

export type LimitFault = { code: ErrorCode; waitMs: number; message: string };

/** Nobody knows when a request that is served ends: soon, as a rule. */
const CONCURRENCY_WAIT_MS = 1_000;

type LimitCheck = (taking: Taking, nowMs: number) => LimitFault | undefined;

/** In the order in which they are told. Nothing is taken before all of them have passed. */
export const limitChecks: readonly LimitCheck[] = [
  ({ figures, windows }, nowMs) => full(windows.requests, figures.requestsPerMinute, nowMs, 'a minute'),
  ({ figures, windows }, nowMs) =>
    figures.requestsPer5Minutes === null
      ? undefined
      : full(windows.longRequests, figures.requestsPer5Minutes, nowMs, 'five minutes'),
  ({ figures, network }, nowMs) => {
    if (!network || figures.networkRequestsPerMinute === null) return undefined;
    const fault = full(network, figures.networkRequestsPerMinute, nowMs, 'a minute');
    return fault && { ...fault, code: 'network_rate_limited', message: networkMessage(figures) };
  },
  ({ figures, windows, tokens }, nowMs) => {
    const limit = figures.tokensPerMinute;
    const taken = windows.tokens.total(nowMs);
    // One that is larger than the whole window goes when nothing else is in it.
    if (taken === 0 || taken + tokens <= limit) return undefined;
    const message = `The plan's limit is ${format(limit)} tokens a minute.`;
    const waitMs = windows.tokens.waitMs(nowMs, Math.max(0, limit - tokens));
    return { code: 'tokens_per_minute_exceeded', waitMs, message };
  },
  ({ figures, windows, holdsSlot }) =>
    !holdsSlot || windows.underWay < figures.concurrent
      ? undefined
      : {
          code: 'concurrency_limit_exceeded',
          waitMs: CONCURRENCY_WAIT_MS,
          message: `The plan's limit is ${format(figures.concurrent)} requests at a time.`,
        },
];

/** What would keep the account from `count` more reads. A call that counts as more than the whole window goes when it is alone in it. */
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

function full(window: SlidingWindow, limit: number, nowMs: number, span: string): LimitFault | undefined {
  if (window.total(nowMs) + 1 <= limit) return undefined;
  return {
    code: 'rate_limit_exceeded',
    waitMs: window.waitMs(nowMs, limit - 1),
    message: `The plan's limit is ${format(limit)} requests in ${span}.`,
  };
}

const networkMessage = ({ networkRequestsPerMinute }: LimitFigures): string =>
  `The limit for one client network on this plan is ${format(networkRequestsPerMinute!)} requests a minute.`;

const format = (count: number): string => count.toLocaleString('en-US');

import type { KeyWindows } from './limit-checks.ts';
import { CONCURRENCY_WAIT_MS, type LimitFault } from './limit-fault.ts';

/** The amounts that a request would take. */
export type Amounts = { requests: number; tokens: number; isConcurrent: boolean };

/** Returns the first fault by the key's own limits, in the order of the account's. */
export function keyFault(
  { limits, windows }: KeyWindows,
  { requests, tokens, isConcurrent }: Amounts,
  nowMs: number,
): LimitFault | undefined {
  const { requestsPerMin, tokensPerMin, concurrent } = limits;
  const requestsWaitMs = requestsPerMin && windows.requests.waitMsFor(requests, requestsPerMin, nowMs);
  if (requestsWaitMs)
    return { kind: 'key-requests', waitMs: requestsWaitMs, used: windows.requests.total(nowMs) };
  const tokensWaitMs = tokensPerMin && windows.tokens.waitMsFor(tokens, tokensPerMin, nowMs);
  if (tokensWaitMs) return { kind: 'key-tokens', waitMs: tokensWaitMs, used: windows.tokens.total(nowMs) };
  if (isConcurrent && concurrent !== null && windows.underWay >= concurrent)
    return { kind: 'key-concurrent', waitMs: CONCURRENCY_WAIT_MS, used: windows.underWay };
  return undefined;
}

import { CONCURRENCY_WAIT_MS, format, type KeyTaking, type LimitFault, waitFor } from './limit-checks.ts';

/** The amounts that a request would take. */
export type Amounts = { requests: number; tokens: number; isConcurrent: boolean };

/** The first fault by the key's own limits, in the order of the account's. */
export function keyFault(
  { limits, windows }: KeyTaking,
  { requests, tokens, isConcurrent }: Amounts,
  nowMs: number,
): LimitFault | undefined {
  const { requestsPerMin, tokensPerMin, concurrent } = limits;
  const requestsWaitMs = requestsPerMin && waitFor(requests, windows.requests, requestsPerMin, nowMs);
  if (requestsWaitMs)
    return fault('rate_limit_exceeded', requestsWaitMs, `${counted(requestsPerMin, 'request')} a minute`);
  const tokensWaitMs = tokensPerMin && waitFor(tokens, windows.tokens, tokensPerMin, nowMs);
  if (tokensWaitMs)
    return fault('tokens_per_minute_exceeded', tokensWaitMs, `${counted(tokensPerMin, 'token')} a minute`);
  if (isConcurrent && concurrent !== null && windows.underWay >= concurrent) {
    const bound = `${counted(concurrent, 'request')} at a time`;
    return fault('concurrency_limit_exceeded', CONCURRENCY_WAIT_MS, bound);
  }
  return undefined;
}

const counted = (count: number, noun: string): string => `${format(count)} ${noun}${count === 1 ? '' : 's'}`;

const fault = (code: LimitFault['code'], waitMs: number, bound: string): LimitFault => ({
  ...{ code, waitMs },
  message: `The limit of this API key is ${bound}.`,
});

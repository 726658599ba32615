import { expect, test } from 'bun:test';
import { RequestTrace } from './request-trace.ts';

const TRACE = '4bf92f3577b34da6a3ce929d0e0e4736';
const SPAN = '00f067aa0ba902b7';
const provider = { id: 'p', baseUrl: 'http://p.invalid' };

test('a provider gets the id of the attempt or the flag of an unsampled trace', () => {
  const context = { traceId: TRACE, spanId: SPAN, isSampled: true, state: 'a=1' };
  const sampled = new RequestTrace(context, () => true);
  const attempt = sampled.attempt(provider, 'm');
  expect(attempt.traceparent).toBe(`00-${TRACE}-${attempt.spanId}-01`);
  expect(attempt.tracestate).toBe('a=1');
  expect(sampled.parentId).toBe(SPAN);
  expect(sampled.attempts).toEqual([attempt]);
  expect(attempt.spanId).not.toBe(sampled.spanId);
  const unsampled = new RequestTrace(context, () => false);
  expect(unsampled.attempt(provider, 'm').traceparent).toBe(`00-${TRACE}-${unsampled.spanId}-00`);
  expect(unsampled.attempts).toEqual([]);
});

test('a trace records a bounded number of calls and counts the others', () => {
  const trace = new RequestTrace(undefined, () => true);
  for (let call = 0; call < 40; call++) trace.attempt(provider, 'm');
  expect(trace.attempts).toHaveLength(32);
  expect(trace.dropped).toBe(8);
  expect(trace.traceId).toMatch(/^[0-9a-f]{32}$/);
});

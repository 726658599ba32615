import { expect, test } from 'bun:test';
import { readTraceContext } from './trace-context.ts';

const TRACE = '4bf92f3577b34da6a3ce929d0e0e4736';
const SPAN = '00f067aa0ba902b7';
const read = (traceparent: string, tracestate?: string) =>
  readTraceContext(new Headers({ traceparent, ...(tracestate !== undefined && { tracestate }) }));

test('a valid traceparent is read with its flag and its state', () => {
  expect(read(`00-${TRACE}-${SPAN}-01`, 'a=1 , b@c=2')).toEqual({
    traceId: TRACE,
    spanId: SPAN,
    isSampled: true,
    state: 'a=1,b@c=2',
  });
  expect(read(`00-${TRACE}-${SPAN}-02`)?.isSampled).toBe(false);
  expect(read(`cc-${TRACE}-${SPAN}-03-later`)?.isSampled).toBe(true);
});

test.each([
  ['another length', `00-${TRACE}-${SPAN}-1`],
  ['upper case', `00-${TRACE.toUpperCase()}-${SPAN}-01`],
  ['an invalid version', `ff-${TRACE}-${SPAN}-01`],
  ['more fields than its version has', `00-${TRACE}-${SPAN}-01-more`],
  ['a trace id of zeros', `00-${'0'.repeat(32)}-${SPAN}-01`],
  ['a span id of zeros', `00-${TRACE}-${'0'.repeat(16)}-01`],
])('a traceparent with %s is ignored', (_, traceparent) => {
  expect(read(traceparent, 'a=1')).toBeUndefined();
});

test('only the tracestate is dropped if it is invalid or long', () => {
  for (const state of ['A=1', 'a', `a=${'x'.repeat(600)}`, 'a=b=c'])
    expect(read(`00-${TRACE}-${SPAN}-01`, state)?.state).toBe('');
});

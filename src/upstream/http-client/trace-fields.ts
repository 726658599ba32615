import type { TraceHeaders } from '../../base/tracing/attempt-span.ts';

/** Formats the lines of a head that continue a trace. Both values consist of printable ASCII characters. */
export const traceLines = ({ traceparent, tracestate }: TraceHeaders): string =>
  tracestate === ''
    ? `traceparent: ${traceparent}\r\n`
    : `traceparent: ${traceparent}\r\ntracestate: ${tracestate}\r\n`;

/** Returns the same fields as an object. */
export const traceFields = ({ traceparent, tracestate }: TraceHeaders): Record<string, string> =>
  tracestate === '' ? { traceparent } : { traceparent, tracestate };

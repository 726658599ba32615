import type { HeaderReader } from '../lib/header-reader.ts';

/** The caller's place in a trace, from the headers of W3C Trace Context. */
export type TraceContext = { traceId: string; spanId: string; isSampled: boolean; state: string };

const TRACEPARENT = /^([0-9a-f]{2})-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})(-.*)?$/;
const ZEROS = /^0+$/;
/** Longer lists may be dropped, and a request must not carry more than this to a provider. */
const MAX_STATE = 512;
const STATE = /^[a-z0-9][a-z0-9_*/@-]{0,255}=[\x20-\x2b\x2d-\x3c\x3e-\x7e]{1,256}$/;

/** Reads `traceparent` and `tracestate`. Returns undefined if there is no valid `traceparent`. */
export function readTraceContext(headers: HeaderReader): TraceContext | undefined {
  const parent = headers.get('traceparent');
  if (parent === null) return undefined;
  const [, version = '', traceId = '', spanId = '', flags = '', rest] = TRACEPARENT.exec(parent) ?? [];
  // A later version may have more fields, and the first has none.
  if (version === '' || version === 'ff' || (version === '00' && rest !== undefined)) return undefined;
  if (ZEROS.test(traceId) || ZEROS.test(spanId)) return undefined;
  const isSampled = (Number.parseInt(flags, 16) & 1) === 1;
  return { traceId, spanId, isSampled, state: readState(headers.get('tracestate')) };
}

function readState(text: string | null): string {
  if (text === null || text.length > MAX_STATE) return '';
  const members = text
    .split(',')
    .map((member) => member.trim())
    .filter((member) => member !== '');
  return members.length <= 32 && members.every((member) => STATE.test(member)) ? members.join(',') : '';
}

export const formatTraceparent = (traceId: string, spanId: string, isSampled: boolean): string =>
  `00-${traceId}-${spanId}-${isSampled ? '01' : '00'}`;

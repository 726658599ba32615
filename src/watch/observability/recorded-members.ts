import { redactText } from '../../base/lib/redact-text.ts';
import { endUserOfHeaders } from '../../base/tracing/end-user-of-request.ts';
import type { Exchange } from '../../edge/http/exchange.ts';
import { redactForeign } from './redact-foreign.ts';
import { tenths } from './tenths.ts';

/** Returns the end user that the request names, in a form that both stores keep. */
export function endUserOf({ endUser }: Exchange['notes'], { headers }: Request): string | undefined {
  return (endUser === undefined ? endUserOfHeaders(headers) : endUser) ?? undefined;
}

/**
 * Returns further members of the record of a request: what the client received, and the calls to providers.
 */
export function recordedMembers({ notes, startedAtMs, request }: Exchange): string {
  const { calls, errorMessage, errorParam, refusalFacts, firstTokenMs, costMicrocredits, tags } = notes;
  const user = endUserOf(notes, request);
  if (!calls && errorMessage === undefined && user === undefined && !tags) return '';
  const message = errorMessage === undefined ? undefined : redactText(errorMessage);
  return `,${JSON.stringify({
    message,
    param: errorParam === undefined ? undefined : redactForeign(errorParam),
    facts: refusalFacts,
    user,
    tags: tags?.map(redactForeign),
    cost_microcredits: costMicrocredits,
    first_token_ms: firstTokenMs === undefined ? undefined : tenths(firstTokenMs),
    calls: calls?.map(({ provider, model, startedAtMs: begun, ms, status, error }) => ({
      provider,
      model,
      after: tenths(begun - startedAtMs),
      ms: ms === null ? null : tenths(ms),
      status,
      error: error ?? undefined,
    })),
  }).slice(1, -1)}`;
}

import { catalogue } from '../../base/errors/catalogue.ts';
import { escapeUnprintable } from '../../base/lib/escape-unprintable.ts';
import { lookUp } from '../../base/lib/records.ts';
import { redactText } from '../../base/lib/redact-text.ts';
import { endUserOfHeaders } from '../../base/tracing/end-user-text.ts';
import type { AttemptRecord } from '../../edge/http/attempt-record.ts';
import type { Exchange } from '../../edge/http/exchange.ts';
import type { LogLevel } from './logger.ts';

const MAX_SHOWN = 200;

/** Redacts and shortens text from the client, which can contain a key by mistake. */
export const foreign = (text: string): string => redactText(text).slice(0, MAX_SHOWN);

const MAX_REMEMBERED = 1_000;
const MAX_LENGTH = 500;
const remembered = new Map<string, string>();

/**
 * Does the same as `foreign`, for texts that recur with nearly every request. Redacting one costs several
 * microseconds.
 */
function recurring(text: string): string {
  const redacted = remembered.get(text);
  if (redacted !== undefined) return redacted;
  const shown = foreign(text);
  if (remembered.size >= MAX_REMEMBERED) remembered.clear();
  if (text.length <= MAX_LENGTH) remembered.set(text, shown);
  return shown;
}

const tenths = (ms: number): number => Math.round(ms * 10) / 10;

/**
 * Serializes the members of a request's log line; members without a value are omitted. Only text from the
 * client is redacted, since redacting every member costs 15 µs for each request, a quarter of its total cost.
 */
export function requestLine(exchange: Exchange, durationMs: number): string {
  const { requestId, method, path, route, notes, request, trace } = exchange;
  const { model, servedModel, firstByteMs, keyName, clientAddress } = notes;
  const userAgent = request.headers.get('user-agent');
  const json = JSON.stringify({
    request_id: requestId,
    trace_id: trace?.traceId,
    method,
    path: path === route ? path : foreign(path),
    route,
    status: notes.status,
    code: notes.errorCode,
    reason: notes.refusalReason,
    account: notes.accountId,
    key_id: notes.keyId,
    key_name: keyName ? recurring(keyName) : undefined,
    model: model === undefined || model === servedModel ? model : foreign(model),
    served_model: servedModel,
    provider: notes.provider,
    simulated: notes.simulated,
    attempts: notes.attempts,
    replay_of: notes.replayOf,
    failures: notes.failures?.map(foreign),
    queue_ms: notes.queueMs ? tenths(notes.queueMs) : undefined,
    losses: notes.losses?.codes,
    unbilled: notes.unbilled,
    unpriced_usage: notes.unpricedUsage,
    unknown_types: notes.unknownTypes,
    stream: notes.stream,
    input_tokens: notes.inputTokens,
    output_tokens: notes.outputTokens,
    usage_estimated: notes.usageEstimated,
    first_byte_ms: firstByteMs === undefined ? undefined : tenths(firstByteMs),
    duration_ms: tenths(durationMs),
    client_address: clientAddress || undefined,
    user_agent: userAgent === null ? undefined : recurring(userAgent),
  });
  return escapeUnprintable(json.slice(1, -1));
}

/** Returns further members of the log line: the upstreams' errors, if there are any. */
export function upstreamErrors({ notes: { calls } }: Exchange): string {
  const failed = calls?.filter(({ error }) => error !== null) ?? [];
  return failed.length === 0
    ? ''
    : escapeUnprintable(`,"upstream_errors":${JSON.stringify(failed.map(shownError))}`);
}

const shownError = ({ provider, model, status, error }: AttemptRecord) => ({
  provider,
  model,
  status,
  type: error?.type,
  code: error?.code,
  message: error?.message,
  request_id: error?.requestId,
});

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
    param: errorParam === undefined ? undefined : foreign(errorParam),
    facts: refusalFacts,
    user,
    tags: tags?.map(foreign),
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

/** Returns the members of the log line of each call. */
export const attemptLines = ({ requestId, notes: { calls = [] } }: Exchange): string[] =>
  calls.map((call) =>
    escapeUnprintable(
      JSON.stringify({
        request_id: requestId,
        provider: call.provider,
        model: call.model,
        status: call.status,
        ms: call.ms === null ? null : tenths(call.ms),
        ...(call.error && { error: { ...shownError(call), provider: undefined, model: undefined } }),
      }).slice(1, -1),
    ),
  );

/**
 * Failures of the gateway and of upstreams are errors, even in a stream whose head had status 200.
 * A client's own faults are not.
 */
export function levelOf({ notes: { status = 0, errorCode } }: Exchange): LogLevel {
  const inStream = lookUp(catalogue, errorCode)?.status ?? 0;
  return status >= 500 || inStream >= 500 ? 'error' : 'info';
}

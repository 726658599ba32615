import type { UpstreamError } from '../../base/errors/upstream-error.ts';
import { isoTime } from '../../base/lib/iso-time.ts';
import { explainRefusal } from '../../watch/requests/explain-refusal.ts';
import type { RecordedCall, RequestRecord } from '../../watch/requests/request-record.ts';

/** A record as operators see it. */
export function requestView(record: RequestRecord) {
  const startedAt = record.ended_at - record.duration_ms;
  return {
    id: record.request_id,
    started_at: isoTime(Math.round(startedAt)),
    ended_at: isoTime(record.ended_at),
    duration_ms: record.duration_ms,
    first_byte_ms: record.first_byte_ms ?? null,
    first_token_ms: record.first_token_ms ?? null,
    queue_ms: record.queue_ms ?? 0,
    account_id: record.account,
    key_id: record.key_id ?? null,
    key_name: record.key_name ?? null,
    method: record.method,
    path: record.path,
    route: record.route,
    status: record.status ?? null,
    error: refusalView(record),
    user: record.user ?? null,
    model: record.model ?? null,
    served_model: record.served_model ?? null,
    provider: record.provider ?? null,
    stream: record.stream ?? false,
    input_tokens: record.input_tokens ?? null,
    output_tokens: record.output_tokens ?? null,
    usage_estimated: record.usage_estimated ?? false,
    cost_microcredits: record.cost_microcredits ?? null,
    losses: record.losses ?? [],
    client_address: record.client_address ?? null,
    user_agent: record.user_agent ?? null,
    attempts: (record.calls ?? []).map((call) => attemptView(call, startedAt)),
  };
}

function refusalView(record: RequestRecord) {
  const explained = explainRefusal(record);
  if (!explained) return null;
  const { code, sentence } = explained;
  const { message = null, param = null, reason = null } = record;
  return { code, message, param, reason, explanation: sentence };
}

const attemptView = ({ provider, model, after, ms, status, error }: RecordedCall, startedAt: number) => ({
  provider,
  model,
  started_at: isoTime(Math.round(startedAt + after)),
  ms,
  status,
  error: error ? errorView(error) : null,
});

const errorView = ({ status, type, code, message, requestId }: UpstreamError) => ({
  status,
  type,
  code,
  message,
  request_id: requestId,
});

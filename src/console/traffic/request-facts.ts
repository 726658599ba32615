import { isoTime } from '../../base/lib/iso-time.ts';
import type { RequestRecord } from '../../watch/requests/request-record.ts';
import { sourceOfRecord } from '../../watch/requests/source-of-request.ts';

export const startOfRecord = ({ ended_at, duration_ms }: RequestRecord): number => ended_at - duration_ms;

/** Returns what operators and members both see of a record. */
export const requestFacts = (record: RequestRecord) => ({
  id: record.request_id,
  started_at: isoTime(Math.round(startOfRecord(record))),
  ended_at: isoTime(record.ended_at),
  duration_ms: record.duration_ms,
  first_byte_ms: record.first_byte_ms ?? null,
  first_token_ms: record.first_token_ms ?? null,
  queue_ms: record.queue_ms ?? 0,
  replay_of: record.replay_of ?? null,
  key_id: record.key_id ?? null,
  key_name: record.key_name ?? null,
  method: record.method,
  path: record.path,
  route: record.route,
  status: record.status ?? null,
  source: sourceOfRecord(record),
  user: record.user ?? null,
  model: record.model ?? null,
  served_model: record.served_model ?? null,
  stream: record.stream ?? false,
  input_tokens: record.input_tokens ?? null,
  output_tokens: record.output_tokens ?? null,
  usage_estimated: record.usage_estimated ?? false,
  cost_microcredits: record.cost_microcredits ?? null,
  losses: record.losses ?? [],
  client_address: record.client_address ?? null,
  user_agent: record.user_agent ?? null,
});

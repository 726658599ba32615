import { isoTime } from '../../base/lib/iso-time.ts';
import { orNull } from '../../base/schema/or-null.ts';
import { time } from '../../base/schema/time-schema.ts';
import { Type } from '../../base/schema/type.ts';
import type { RequestRecord } from '../../watch/requests/request-record.ts';
import { requestSources } from '../../watch/requests/request-source.ts';
import { sourceOfRecord } from '../../watch/requests/source-of-request.ts';
import type { ViewOf } from '../routes/typed-route.ts';

const text = Type.String();
const count = Type.Integer();
const milliseconds = Type.Number();

/** The fields of a request that operators and members both see. */
export const requestFactFields = {
  id: text,
  started_at: time,
  ended_at: time,
  duration_ms: milliseconds,
  first_byte_ms: orNull(milliseconds),
  first_token_ms: orNull(milliseconds, 'The time to the first part of a streamed answer.'),
  queue_ms: Type.Number({ description: 'The time in the queue for capacity.' }),
  replay_of: orNull(text, 'The request whose answer this one got.'),
  key_id: orNull(text),
  key_name: orNull(text),
  method: text,
  path: text,
  route: text,
  status: orNull(
    count,
    'The status of the answer. An item of a batch has the status that it would have had.',
  ),
  source: Type.Enum([...requestSources], {
    description: '`batch`: an item of a batch, once, with its last outcome. `playground`: the page.',
  }),
  user: orNull(text, 'The end user that the client named.'),
  model: orNull(text, 'The name that the client sent.'),
  served_model: orNull(text, 'The public id of the model that answered.'),
  stream: Type.Boolean(),
  input_tokens: orNull(count),
  output_tokens: orNull(count),
  usage_estimated: Type.Boolean(),
  cost_microcredits: orNull(count, 'The cost at list rates. The receipt has the charge.'),
  losses: Type.Array(text),
  client_address: orNull(text),
  user_agent: orNull(text),
};
const factsOfRequest = Type.Object(requestFactFields);

/** Returns the time at which a request began. */
export const startOfRecord = ({ ended_at, duration_ms }: RequestRecord): number => ended_at - duration_ms;

/** Shows what operators and members both see of a record. */
export const requestFacts = (record: RequestRecord): ViewOf<typeof factsOfRequest> => ({
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

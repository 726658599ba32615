import type { UpstreamError } from '../../base/errors/upstream-error.ts';
import { isoTime } from '../../base/lib/iso-time.ts';
import { orNull } from '../../base/schema/or-null.ts';
import { time } from '../../base/schema/time-schema.ts';
import { Type } from '../../base/schema/type.ts';
import { explainRefusal } from '../../watch/requests/explain-refusal.ts';
import type { RecordedCall, RequestRecord } from '../../watch/requests/request-record.ts';
import { requestSources } from '../../watch/requests/request-source.ts';
import type { ViewOf } from '../routes/typed-route.ts';
import { requestFacts, startOfRecord } from '../traffic/request-facts.ts';

const text = Type.String();
const count = Type.Integer();
const milliseconds = Type.Number();

const attempt = Type.Object({
  provider: text,
  model: Type.String({ description: "The provider's name for the model." }),
  started_at: time,
  ms: orNull(milliseconds, 'The time until the call ended.'),
  status: orNull(count, 'The HTTP status. `null` means that no answer arrived.'),
  error: Type.Union(
    [
      Type.Object({
        status: orNull(count),
        type: orNull(text),
        code: orNull(text),
        message: orNull(text, "The provider's message, without keys, or the reason why there is none."),
        request_id: orNull(text, "The provider's id of the request."),
      }),
      Type.Null(),
    ],
    { description: "The provider's error. `null` means that the call succeeded." },
  ),
});

export const request = Type.Object(
  {
    id: text,
    started_at: time,
    ended_at: time,
    duration_ms: milliseconds,
    first_byte_ms: orNull(milliseconds),
    first_token_ms: orNull(milliseconds, 'The time to the first part of a streamed answer.'),
    queue_ms: Type.Number({ description: 'The time in the queue for capacity.' }),
    replay_of: orNull(text, 'The request whose answer this one got.'),
    account_id: text,
    key_id: orNull(text),
    key_name: orNull(text),
    method: text,
    path: text,
    route: text,
    status: orNull(
      count,
      'The status of the answer. An item of a batch has the status that it would have had.',
    ),
    error: Type.Union(
      [
        Type.Object({
          code: text,
          message: orNull(text),
          param: orNull(text, 'The field that the error names.'),
          reason: orNull(text, 'What the server lacked for the request, such as `memory`.'),
          explanation: Type.String({ description: 'The reason with its figures.' }),
        }),
        Type.Null(),
      ],
      { description: 'The error that the client got. `null` means that it got none.' },
    ),
    source: Type.Enum([...requestSources], {
      description: '`batch`: an item of a batch, once, with its last outcome. `playground`: the page.',
    }),
    user: orNull(text, 'The end user that the client named.'),
    tags: Type.Array(text, { description: 'The tags of the request and of its key.' }),
    model: orNull(text, 'The name that the client sent.'),
    served_model: orNull(text, 'The public id of the model that answered.'),
    provider: orNull(text, 'The provider of the last attempt.'),
    stream: Type.Boolean(),
    input_tokens: orNull(count),
    output_tokens: orNull(count),
    usage_estimated: Type.Boolean(),
    cost_microcredits: orNull(count, 'The cost at list rates. The receipt has the charge.'),
    losses: Type.Array(text),
    client_address: orNull(text),
    user_agent: orNull(text),
    attempts: Type.Array(attempt, { description: 'The calls to providers, at most 16.' }),
  },
  { title: 'Request' },
);

/** A record as operators see it. */
export const requestView = (record: RequestRecord): ViewOf<typeof request> => ({
  ...requestFacts(record),
  account_id: record.account,
  error: refusalView(record),
  tags: record.tags ?? [],
  provider: record.provider ?? null,
  attempts: (record.calls ?? []).map((call) => attemptView(call, startOfRecord(record))),
});

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

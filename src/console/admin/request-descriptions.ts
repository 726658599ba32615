import { time, writtenTime } from '../../base/schema/time-schema.ts';
import { Type } from '../../base/schema/type.ts';
import type { RouteDescription } from '../../edge/http/route.ts';
import { listOf, orNull } from './admin-answers.ts';
import { pageParameters } from './page-parameters.ts';

const requests = { group: 'Admin: requests', key: 'admin' } as const;
const text = Type.String();
const count = Type.Integer();
const milliseconds = Type.Number();

const attempt = Type.Object({
  provider: text,
  model: Type.String({ description: "The provider's name for the model." }),
  started_at: time,
  ms: orNull(milliseconds, 'The time until the call ended.'),
  status: orNull(count, 'The HTTP status. Null: no answer arrived.'),
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
    { description: "The provider's error. Null: the call succeeded." },
  ),
});

const request = Type.Object(
  {
    id: text,
    started_at: time,
    ended_at: time,
    duration_ms: milliseconds,
    first_byte_ms: orNull(milliseconds),
    first_token_ms: orNull(milliseconds, 'The time to the first part of a streamed answer.'),
    queue_ms: Type.Number({ description: 'The time in the queue for capacity.' }),
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
      { description: 'The error that the client got. Null: none.' },
    ),
    user: orNull(text, 'The end user that the client named.'),
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

/** A status or a class of statuses. */
export const REQUEST_STATUS = '^[1-5](\\d\\d|xx)$';

const filters: NonNullable<RouteDescription['query']> = [
  { name: 'account', description: 'Only requests of the account with this id.' },
  { name: 'key', description: 'Only requests with the API key of this id.' },
  { name: 'model', description: 'Only requests that named this model, or that it answered.' },
  {
    name: 'status',
    description: 'Only answers with this status, like `400`, or of this class, like `5xx`.',
    schema: Type.String({ pattern: REQUEST_STATUS }),
  },
  { name: 'code', description: 'Only requests that ended with this error code.' },
  { name: 'user', description: 'Only requests that named this end user.' },
  {
    name: 'since',
    description: 'Only requests that ended at or after this time, ISO 8601.',
    schema: writtenTime,
  },
  { name: 'until', description: 'Only requests that ended before this time, ISO 8601.', schema: writtenTime },
];

/** Describes the routes of the records of requests. */
export const requestDescriptions = {
  list: {
    ...requests,
    summary: 'Lists the requests of all accounts, the latest to end first',
    query: [...filters, ...pageParameters],
    answer: 'A page of requests. `retention.requests_s` says how long they are kept.',
    answerSchema: listOf(request),
    errors: ['invalid_request'],
  },
  show: {
    ...requests,
    summary: 'Shows a request with its calls to providers and their errors',
    answer: 'The request.',
    answerSchema: request,
    errors: ['not_found'],
  },
} satisfies Record<string, RouteDescription>;

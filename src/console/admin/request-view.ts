import type { UpstreamError } from '../../base/errors/upstream-error.ts';
import { isoTime } from '../../base/lib/iso-time.ts';
import { orNull } from '../../base/schema/or-null.ts';
import { time } from '../../base/schema/time-schema.ts';
import { Type } from '../../base/schema/type.ts';
import { explainRefusal } from '../../watch/requests/explain-refusal.ts';
import type { RecordedCall, RequestRecord } from '../../watch/requests/request-record.ts';
import type { ViewOf } from '../routes/typed-route.ts';
import { requestFactFields, requestFacts, startOfRecord } from '../traffic/request-facts.ts';

const text = Type.String();
const count = Type.Integer();
const milliseconds = Type.Number();

const attempt = Type.Object({
  provider: text,
  model: Type.String({ description: "The provider's name for the model." }),
  started_at: time,
  ms: orNull(milliseconds, 'The time until the call ended.'),
  status: orNull(count, 'The HTTP status. `null` means that no answer arrived.'),
  error: orNull(
    Type.Object({
      status: orNull(count),
      type: orNull(text),
      code: orNull(text),
      message: orNull(text, "The provider's message, without keys, or the reason why there is none."),
      request_id: orNull(text, "The provider's id of the request."),
    }),
    "The provider's error. `null` means that the call succeeded.",
  ),
});

/** The record of a request as operators see it. */
export const request = Type.Object(
  {
    ...requestFactFields,
    account_id: text,
    error: orNull(
      Type.Object({
        code: text,
        message: orNull(text),
        param: orNull(text, 'The field that the error names.'),
        reason: orNull(text, 'What the server lacked for the request, such as `memory`.'),
        explanation: Type.String({ description: 'The reason with its figures.' }),
      }),
      'The error that the client got. `null` means that it got none.',
    ),
    tags: Type.Array(text, { description: 'The tags of the request and of its key.' }),
    provider: orNull(text, 'The provider of the last attempt.'),
    attempts: Type.Array(attempt, { description: 'The calls to providers, at most 16.' }),
  },
  { title: 'Request' },
);

/** Shows a record with what only operators see: providers, their errors and their names of models. */
export const requestView = (record: RequestRecord): ViewOf<typeof request> => ({
  ...requestFacts(record),
  account_id: record.account,
  error: refusalView(record),
  tags: record.tags ?? [],
  provider: record.provider ?? null,
  attempts: (record.calls ?? []).map((call) => attemptView(call, startOfRecord(record))),
});

/** Shows the refusal of a request. `null` means that the client got no error. */
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

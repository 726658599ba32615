import { time } from '../../base/schema/time-schema.ts';
import { Type } from '../../base/schema/type.ts';
import type { RouteDescription } from '../../edge/http/route.ts';
import { orNull } from './admin-answers.ts';
import { checkedBody } from './read-checked-body.ts';

const requests = { group: 'Admin: requests', key: 'admin' } as const;
const text = Type.String();

export const payloadBody = checkedBody(
  Type.Object({ enabled: Type.Boolean() }, { additionalProperties: false }),
);

const setting = Type.Object({ account_id: text, enabled: Type.Boolean() }, { title: 'Payload Logging' });

/** Describes the routes of payload logging. */
export const payloadDescriptions = {
  show: {
    ...requests,
    summary: "Shows whether the content of an account's requests is kept",
    answer: 'The setting.',
    answerSchema: setting,
    errors: ['not_found'],
  },
  change: {
    ...requests,
    summary: "Keeps the content of an account's requests from now on, or stops to keep it",
    body: payloadBody.schema,
    bodyExample: { enabled: true },
    answer: 'The setting. Other processes follow within five seconds.',
    answerSchema: setting,
    errors: ['invalid_request', 'not_found'],
  },
  remove: {
    ...requests,
    summary: "Deletes the kept content of an account's requests",
    answer: 'The number of requests whose content was deleted.',
    answerSchema: Type.Object({ account_id: text, deleted: Type.Integer() }),
    errors: ['not_found'],
  },
  content: {
    ...requests,
    summary: 'Shows the kept content of a request, redacted',
    answer: 'The content.',
    answerSchema: Type.Object(
      {
        request: text,
        answer: text,
        request_cut: Type.Boolean({ description: 'Only the start of the request is kept.' }),
        answer_cut: Type.Boolean({ description: 'Only the start of the answer is kept.' }),
        withheld: orNull(text, 'The reason why nothing is kept. Null: the content is there.'),
        expires_at: time,
      },
      { title: 'Request Content' },
    ),
    errors: ['not_found'],
  },
} satisfies Record<string, RouteDescription>;

import { Type } from '../../base/schema/type.ts';
import type { RouteDescription } from '../../edge/http/route.ts';
import { compactRequestSchema } from '../../translation/protocols/responses/compact-request-schema.ts';
import { generatingErrors } from './inference-errors.ts';
import { repeatableHeaders } from './inference-headers.ts';
import { responseUsage } from './responses-description.ts';

/** Describes `POST /v1/responses/compact`. */
export const compactDescription: RouteDescription = {
  group: 'Chat',
  key: 'bearer',
  summary: 'Compacts a conversation (OpenAI Responses)',
  headers: repeatableHeaders,
  body: Type.Unsafe({ ...compactRequestSchema, title: 'Compact Request' }),
  bodyExample: {
    model: '{model}',
    input: [
      { role: 'user', content: 'Plan a trip to Rome.' },
      { role: 'assistant', content: 'Day one: the Forum. Day two: the Vatican.' },
    ],
  },
  answer:
    'The compacted conversation, to be sent as the `input` of later requests. It has one `compaction` item, which nobody else can read. The compaction is billed like a response.',
  answerSchema: Type.Object(
    {
      id: Type.String(),
      object: Type.Literal('response.compaction'),
      created_at: Type.Number({ description: 'Unix seconds.' }),
      output: Type.Array(
        Type.Object({ type: Type.String() }, { description: 'One `compaction` item, and messages.' }),
      ),
      usage: responseUsage,
    },
    { title: 'Compacted Response' },
  ),
  errors: [...generatingErrors, 'not_found'],
};

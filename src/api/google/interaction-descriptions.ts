import { Type } from '../../base/schema/type.ts';
import type { RouteDescription } from '../../edge/http/route.ts';
import { interactionRequestSchema } from '../../translation/protocols/interactions/request-schema.ts';
import { generatingErrors } from '../descriptions/inference-errors.ts';
import { generatingHeaders } from '../descriptions/inference-headers.ts';

const steps = Type.Array(Type.Unsafe({ type: 'object', additionalProperties: true }), {
  description: 'What the model made: outputs, thoughts and calls of functions.',
});

const usage = Type.Object({
  total_input_tokens: Type.Integer({ description: 'Input tokens, including cached ones.' }),
  total_cached_tokens: Type.Integer(),
  total_output_tokens: Type.Integer({ description: 'Output tokens, excluding thoughts.' }),
  total_tool_use_tokens: Type.Integer(),
  total_thought_tokens: Type.Integer(),
  total_tokens: Type.Integer(),
});

const statuses = [
  'completed',
  'requires_action',
  'requires_continuation',
  'incomplete',
  'queued',
  'in_progress',
  'failed',
  'cancelled',
];

const interaction = Type.Object(
  {
    id: Type.String(),
    object: Type.Literal('interaction'),
    created: Type.String({ description: 'ISO 8601.' }),
    updated: Type.String({ description: 'ISO 8601.' }),
    model: Type.String({ description: 'The id of the model.' }),
    status: Type.Enum(statuses, {
      description:
        '`requires_action`: the answer ends with calls of functions. The last four occur only in the background.',
    }),
    previous_interaction_id: Type.Optional(Type.String()),
    steps: Type.Optional(steps),
    output_text: Type.Optional(Type.String({ description: "The texts of the model's outputs." })),
    errors: Type.Optional(Type.Array(Type.Object({ code: Type.String(), message: Type.String() }))),
    usage: Type.Optional(usage),
  },
  { title: 'Interaction' },
);

const endpoint = { group: 'Interactions', key: 'google' } as const;
const stored = {
  ...endpoint,
  errors: ['not_found', 'invalid_request'],
} as const satisfies Partial<RouteDescription>;

/** Describes the endpoints of the Interactions API. */
export const interactionDescriptions = {
  create: {
    ...endpoint,
    summary: 'Creates an interaction (Google)',
    headers: generatingHeaders,
    body: Type.Unsafe({ ...interactionRequestSchema, title: 'Interaction Request' }),
    bodyExample: { model: '{model}', input: 'Hello!' },
    answer:
      'The interaction. A stream ends with `interaction.completed` and `[DONE]`. A failed stream ends with `error` instead.',
    answerSchema: interaction,
    streams: true,
    errors: [...generatingErrors, 'not_found'],
  },
  show: {
    ...stored,
    summary: 'Returns a stored interaction',
    query: [
      {
        name: 'include_input',
        description: '`true` adds the input as `input`, and as the first steps.',
        schema: Type.Enum(['true', 'false']),
      },
      {
        name: 'stream',
        description:
          '`true` streams the events of an interaction in the background, or of a resumable stream, from the beginning or after `last_event_id`.',
        schema: Type.Enum(['true', 'false']),
      },
      {
        name: 'last_event_id',
        description: 'The `event_id` of the last event that the client has. It needs `stream=true`.',
        schema: Type.String({ pattern: '^event_\\d{1,9}$' }),
      },
    ],
    answer:
      'The interaction as it was sent. An interaction in the background is returned in its present state. Only the key that created an interaction can read it.',
    answerSchema: interaction,
  },
  cancel: {
    ...stored,
    summary: 'Cancels an interaction in the background',
    answer:
      'The interaction. What the model had written is charged. An interaction that has ended stays as it is.',
    answerSchema: interaction,
  },
  delete: {
    ...stored,
    summary: 'Deletes a stored interaction',
    answer: 'The interaction is deleted and cannot be continued.',
    answerSchema: Type.Object({}),
    errors: ['not_found'],
  },
} satisfies Record<string, RouteDescription>;

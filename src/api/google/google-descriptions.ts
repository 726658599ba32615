import type { Static } from 'typebox';
import { Type } from '../../base/schema/type.ts';
import type { RouteDescription } from '../../edge/http/route.ts';
import {
  embedContentSchema,
  embedContentsSchema,
} from '../../translation/protocols/embeddings/google-embeddings-schema.ts';
import {
  countTokensRequestSchema,
  generateRequestSchema,
} from '../../translation/protocols/google/request-schema.ts';
import {
  generatingErrors,
  modelErrors,
  repeatableErrors,
  windowErrors,
} from '../descriptions/inference-errors.ts';
import { countingHeaders, generatingHeaders, repeatableHeaders } from '../descriptions/inference-headers.ts';

const group = 'Gemini';
const key = 'google' as const;
const contents = [{ role: 'user', parts: [{ text: 'Hello!' }] }];

const model = Type.Object(
  {
    name: Type.String({ description: '`models/` and the id of the model.' }),
    baseModelId: Type.String({ description: 'The id of the model.' }),
    version: Type.String(),
    displayName: Type.String(),
    description: Type.String(),
    inputTokenLimit: Type.Integer({ description: 'The context window.' }),
    outputTokenLimit: Type.Optional(
      Type.Integer({ description: 'The longest answer, if the maker publishes one.' }),
    ),
    supportedGenerationMethods: Type.Array(Type.String()),
    thinking: Type.Boolean(),
  },
  { title: 'Gemini Model' },
);
export type GoogleModel = Static<typeof model>;

const modality = Type.Array(Type.Object({ modality: Type.String(), tokenCount: Type.Integer() }));

const usage = Type.Object({
  promptTokenCount: Type.Integer({ description: 'Input tokens, including cached ones.' }),
  cachedContentTokenCount: Type.Optional(Type.Integer()),
  candidatesTokenCount: Type.Integer({ description: 'Output tokens, excluding thoughts.' }),
  thoughtsTokenCount: Type.Optional(Type.Integer()),
  totalTokenCount: Type.Integer(),
  promptTokensDetails: modality,
});

const chunk = Type.Object(
  {
    candidates: Type.Optional(
      Type.Array(
        Type.Object({
          content: Type.Object({
            parts: Type.Array(Type.Unsafe({ type: 'object', additionalProperties: true })),
            role: Type.Literal('model'),
          }),
          finishReason: Type.Optional(Type.String()),
          index: Type.Integer(),
          groundingMetadata: Type.Optional(Type.Unsafe({ type: 'object', additionalProperties: true })),
        }),
      ),
    ),
    promptFeedback: Type.Optional(
      Type.Object(
        { blockReason: Type.String() },
        { description: 'Why the prompt was blocked. Such an answer has no candidates, and is free.' },
      ),
    ),
    usageMetadata: Type.Optional(usage),
    modelVersion: Type.String({ description: 'The model as the request named it.' }),
    responseId: Type.String(),
  },
  { title: 'Generate Content Response' },
);

const vector = Type.Object({ values: Type.Array(Type.Number()) });
const embedUsage = Type.Object({ promptTokenCount: Type.Integer() });

const generating = {
  group,
  key,
  headers: generatingHeaders,
  body: Type.Unsafe({ ...generateRequestSchema, title: 'Generate Content Request' }),
  bodyExample: { contents },
  errors: generatingErrors,
} satisfies Partial<RouteDescription>;

/** The catalog needs no key. */
const listing = {
  group,
  key: 'none',
  errors: ['rate_limit_exceeded'],
} as const satisfies Partial<RouteDescription>;

/** Describes the endpoints for Google's clients. */
export const googleDescriptions = {
  generate: {
    ...generating,
    summary: 'Creates an answer to a conversation (Gemini)',
    answer:
      'The answer. A prompt that the vendor of the model blocks has `promptFeedback` in place of candidates.',
    answerSchema: chunk,
  },
  stream: {
    ...generating,
    summary: 'Creates an answer to a conversation as a stream (Gemini)',
    query: [
      {
        name: 'alt',
        description: '`sse`: server-sent events. Without it the answer is one JSON array.',
        schema: Type.Enum(['sse', 'json']),
      },
    ],
    answer:
      'A JSON array of chunks, or server-sent events with `alt=sse`. A failed stream ends with an error.',
    answerSchema: Type.Array(chunk),
  },
  embedOne: {
    group,
    key,
    headers: repeatableHeaders,
    summary: 'Creates the vector of a text (Gemini)',
    body: Type.Unsafe({ ...embedContentSchema, title: 'Embed Content Request' }),
    bodyExample: { content: { parts: [{ text: 'Hello!' }] } },
    answer: 'The vector.',
    answerSchema: Type.Object(
      { embedding: vector, usageMetadata: embedUsage },
      { title: 'Gemini Embedding' },
    ),
    errors: repeatableErrors,
  },
  embedList: {
    group,
    key,
    headers: repeatableHeaders,
    summary: 'Creates the vectors of texts (Gemini)',
    body: Type.Unsafe({ ...embedContentsSchema, title: 'Embed Contents Request' }),
    bodyExample: { requests: [{ content: { parts: [{ text: 'Hello!' }] } }] },
    answer: 'The vectors, in the order of the requests.',
    answerSchema: Type.Object(
      { embeddings: Type.Array(vector), usageMetadata: embedUsage },
      { title: 'Gemini Embeddings' },
    ),
    errors: repeatableErrors,
  },
  count: {
    group,
    key,
    summary: 'Counts the input tokens of a conversation (Gemini)',
    headers: countingHeaders,
    body: Type.Unsafe({ ...countTokensRequestSchema, title: 'Gemini Count Tokens Request' }),
    bodyExample: { contents },
    answer: "The count, by the tokenizer closest to the model's own. Counting is free.",
    answerSchema: Type.Object(
      { totalTokens: Type.Integer(), promptTokensDetails: modality },
      { title: 'Gemini Token Count' },
    ),
    errors: [...modelErrors, ...windowErrors],
  },
  list: {
    ...listing,
    summary: 'Lists the models (Gemini)',
    query: [
      {
        name: 'pageSize',
        description: 'The number of models on a page, at most 1000. The default is 50.',
        schema: Type.String({ pattern: '^\\d{1,9}$' }),
      },
      { name: 'pageToken', description: '`nextPageToken` of the page before.' },
    ],
    answer: 'A page of models.',
    answerSchema: Type.Object(
      {
        models: Type.Array(model),
        nextPageToken: Type.Optional(Type.String({ description: 'Absent on the last page.' })),
      },
      { title: 'Gemini Model List' },
    ),
  },
  show: {
    ...listing,
    summary: 'Shows a model (Gemini)',
    answer: 'The model.',
    answerSchema: model,
    errors: [...listing.errors, 'unknown_model'],
  },
} satisfies Record<string, RouteDescription>;

import type { TSchema } from 'typebox';
import { Type } from '../../base/schema/type.ts';
import type { RouteDescription, RouteParameter } from '../../edge/http/route.ts';
import { processingModes } from '../stored/batch.ts';
import type { Collection } from '../stored/collection.ts';
import { MAX_ITEM_BYTES } from '../stored/read-item.ts';
import { MAX_ITEMS } from './read-creation.ts';

const orNull = (schema: TSchema) => Type.Union([schema, Type.Null()]);
const time = Type.String({ format: 'date-time' });
const count = Type.Integer({ minimum: 0 });

const view = ({ label, id }: Collection) =>
  Type.Object(
    {
      id: Type.String(),
      ...Object.fromEntries(Object.entries(label).map(([name, value]) => [name, Type.Literal(value)])),
      processing_status: Type.Enum(['in_progress', 'canceling', 'ended']),
      request_counts: Type.Object({
        processing: count,
        succeeded: count,
        errored: count,
        canceled: count,
        expired: count,
      }),
      created_at: time,
      expires_at: Type.String({
        format: 'date-time',
        description: 'The time at which the batch and its results are deleted.',
      }),
      ended_at: orNull(time),
      cancel_initiated_at: orNull(time),
      archived_at: Type.Null(),
      results_url: orNull(
        Type.String({ description: 'The URL of the results. `null` means that the batch has not ended.' }),
      ),
      processing_mode: Type.Enum([...processingModes]),
    },
    { title: id === 'messages' ? 'Message Batch' : 'Chat Batch' },
  );

const mode = Type.Enum([...processingModes], {
  description:
    "`flex` runs only while no other request is queued. The native modes use the provider's own batches, if the provider has them.",
});

const creation = ({ id, itemPath }: Collection) =>
  Type.Object(
    {
      requests: Type.Array(
        Type.Object({
          custom_id: Type.String({
            pattern: '^[A-Za-z0-9_-]{1,64}$',
            description: 'An id for the request, unique within the batch.',
          }),
          params: Type.Object(
            {},
            {
              additionalProperties: true,
              description: `The request body for \`${itemPath}\`, without \`stream\`.`,
            },
          ),
        }),
        {
          minItems: 1,
          maxItems: MAX_ITEMS,
          description: `The requests. Each can have up to ${MAX_ITEM_BYTES.toLocaleString('en-US')} bytes.`,
        },
      ),
      processing_mode: Type.Optional(orNull(mode)),
      lane: Type.Optional(
        orNull(
          Type.Enum([...processingModes], {
            description: 'An alias of `processing_mode`, and equal to it where both are sent.',
          }),
        ),
      ),
    },
    { title: id === 'messages' ? 'Message Batch Request' : 'Chat Batch Request' },
  );

const exampleParams = {
  messages: { model: '{model}', max_tokens: 256, messages: [{ role: 'user', content: 'Hello!' }] },
  chat: { model: '{model}', messages: [{ role: 'user', content: 'Hello!' }] },
};

const pageQuery = ({ id }: Collection): RouteParameter[] => [
  {
    name: 'limit',
    description: 'Batches per page. Default: 20.',
    schema: Type.Integer({ minimum: 1, maximum: 100 }),
  },
  { name: id === 'messages' ? 'after_id' : 'after', description: 'Returns the page after this batch.' },
  ...(id === 'messages' ? [{ name: 'before_id', description: 'Returns the page before this batch.' }] : []),
];

/** Describes the routes of a collection. */
export function batchDescriptions(collection: Collection) {
  const shared = {
    group: 'Batches',
    key: collection.keyHeader,
    errors: ['not_found'],
  } as const satisfies Partial<RouteDescription>;
  const batch = view(collection);
  return {
    create: {
      ...shared,
      summary: `Runs up to ${MAX_ITEMS.toLocaleString('en-US')} requests of \`${collection.itemPath}\` in the background`,
      headers: [
        {
          name: 'Idempotency-Key',
          description:
            'Up to 200 characters. A repeated request with the same key and body returns the same batch.',
          schema: Type.String({ minLength: 1, maxLength: 200 }),
        },
      ],
      body: creation(collection),
      bodyExample: { requests: [{ custom_id: 'first', params: exampleParams[collection.id] }] },
      answer: 'The batch. `idempotency-replayed: true`: an earlier request created it.',
      answerSchema: batch,
      errors: [
        'payg_batch_not_supported',
        'native_batch_unavailable',
        'allowance_exhausted',
        'credit_used_up',
        'idempotency_conflict',
        'batch_creation_in_progress',
        'rate_limit_exceeded',
      ],
    },
    list: {
      ...shared,
      summary: 'Lists batches',
      query: pageQuery(collection),
      answer: "The key's batches, newest first.",
      answerSchema: Type.Object({
        ...(collection.id === 'chat' && { object: Type.Literal('list') }),
        data: Type.Array(batch),
        has_more: Type.Boolean(),
        first_id: orNull(Type.String()),
        last_id: orNull(Type.String()),
      }),
      errors: ['invalid_request'],
    },
    show: { ...shared, summary: 'Shows a batch', answer: 'The batch.', answerSchema: batch },
    cancel: {
      ...shared,
      summary: 'Cancels a batch',
      answer: 'The batch. Requests in flight finish. All others are canceled.',
      answerSchema: batch,
    },
    results: {
      ...shared,
      summary: 'Returns the results of an ended batch',
      answer: 'One line of JSON for each request, in any order, with `custom_id` and `result`.',
      answerType: 'application/x-jsonl',
      errors: [...shared.errors, 'batch_not_ended', 'endpoint_retired'],
    },
    delete: {
      ...shared,
      summary: 'Deletes an ended batch',
      answer: 'The batch and its results are deleted.',
      answerSchema: Type.Object({ id: Type.String(), type: Type.Literal('message_batch_deleted') }),
      errors: [...shared.errors, 'batch_not_ended'],
    },
  } satisfies Record<string, RouteDescription>;
}

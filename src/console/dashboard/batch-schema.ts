import type { Static } from 'typebox';
import { Type } from '../../base/schema/type.ts';
import { processingModes } from '../../batches/stored/batch.ts';
import { listQuery } from './list-query.ts';

const nullableTime = Type.Union([Type.String(), Type.Null()]);
const count = Type.Integer();

export const batchAnswer = Type.Object({
  id: Type.String(),
  collection: Type.Enum(['messages', 'chat']),
  account_id: Type.String(),
  key_id: Type.String(),
  processing_mode: Type.Enum(processingModes),
  processing_status: Type.Enum(['in_progress', 'canceling', 'ended']),
  size: count,
  request_counts: Type.Object({
    processing: count,
    succeeded: count,
    errored: count,
    canceled: count,
    expired: count,
  }),
  /** The items in progress. */
  at_work: count,
  /** The failed attempts that were repeated. */
  retries: count,
  items_per_minute: Type.Union([Type.Number(), Type.Null()]),
  estimated_end_at: nullableTime,
  created_at: Type.String(),
  deadline_at: Type.String(),
  expires_at: Type.String(),
  cancel_initiated_at: nullableTime,
  ended_at: nullableTime,
  /** The charge so far. */
  credits: Type.Number(),
  can_delete: Type.Boolean(),
});
export type BatchAnswer = Static<typeof batchAnswer>;

export const batchListQuery = Type.Object({
  ...listQuery.properties,
  status: Type.Optional(Type.Enum(['in_progress', 'ended'])),
});

export const batchList = Type.Object({ data: Type.Array(batchAnswer), has_more: Type.Boolean() });
export type BatchList = Static<typeof batchList>;

export const batchItemsQuery = Type.Object({
  limit: listQuery.properties.limit,
  after: Type.Optional(Type.String({ pattern: '^[0-9]{1,6}$' })),
});

export const batchItem = Type.Object({
  /** The place in the batch, from 0 on. */
  number: count,
  custom_id: Type.String(),
  request_id: Type.String(),
  status: Type.Enum(['queued', 'running', 'succeeded', 'errored', 'canceled', 'expired']),
  /** The size of the result in bytes. */
  bytes: count,
  /** The beginning of the answer's text. `null` means that the item has no answer. */
  answer: Type.Union([Type.String(), Type.Null()]),
  error: Type.Union([Type.Object({ type: Type.String(), message: Type.String() }), Type.Null()]),
  /** The beginning of the result as JSON text. `null` means that the item has no result. */
  result: Type.Union([Type.String(), Type.Null()]),
  /** The answer's text is longer than `answer`. */
  is_answer_cut: Type.Boolean(),
  /** The result is longer than `result`. */
  is_cut: Type.Boolean(),
});
export type BatchItemAnswer = Static<typeof batchItem>;

export const batchItems = Type.Object({
  data: Type.Array(batchItem),
  has_more: Type.Boolean(),
  /** False for viewers: answers and results are left out. */
  content_shown: Type.Boolean(),
});
export type BatchItems = Static<typeof batchItems>;

export const deletedAnswer = Type.Object({ id: Type.String(), deleted: Type.Boolean() });

import type { Static } from 'typebox';
import { orNull } from '../../base/schema/or-null.ts';
import { Type } from '../../base/schema/type.ts';
import { batch } from '../admin/batch-view.ts';
import { listQuery } from './list-query.ts';

const count = Type.Integer();

/** A batch with its charge. */
export const batchAnswer = Type.Object({
  ...batch.properties,
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

/** An item of a batch. Viewers see no content. */
const batchItem = Type.Object({
  /** The place in the batch, from 0 on. */
  number: count,
  custom_id: Type.String(),
  request_id: Type.String(),
  status: Type.Enum(['queued', 'running', 'succeeded', 'errored', 'canceled', 'expired']),
  /** The size of the result in bytes. */
  bytes: count,
  /** The beginning of the answer's text. `null` means that the item has no answer. */
  answer: orNull(Type.String()),
  error: orNull(Type.Object({ type: Type.String(), message: Type.String() })),
  /** The beginning of the result as JSON text. `null` means that the item has no result. */
  result: orNull(Type.String()),
  /** The answer's text is longer than `answer`. */
  is_answer_cut: Type.Boolean(),
  /** True if the result is longer than `result`. */
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

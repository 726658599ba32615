import { orNull } from '../../base/schema/or-null.ts';
import { time } from '../../base/schema/time-schema.ts';
import { Type } from '../../base/schema/type.ts';
import { processingModes } from '../../batches/stored/batch.ts';

const text = Type.String();
const count = Type.Integer();

/** A batch with its progress, as operators and members of the organization see it. */
export const batch = Type.Object(
  {
    id: text,
    collection: Type.Enum(['messages', 'chat']),
    account_id: text,
    key_id: text,
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
    at_work: Type.Integer({ description: 'Items that are being answered or are queued for capacity.' }),
    retries: Type.Integer({ description: 'Failed attempts that were retried.' }),
    items_per_minute: orNull(
      Type.Number(),
      'The average since this process took up the batch. `null` means that no item has finished.',
    ),
    estimated_end_at: orNull(time, 'The estimated end at the current rate.'),
    created_at: time,
    deadline_at: Type.String({
      format: 'date-time',
      description: 'Items without a result at this time expire.',
    }),
    expires_at: time,
    cancel_initiated_at: orNull(time),
    ended_at: orNull(time),
  },
  { title: 'Running Batch' },
);

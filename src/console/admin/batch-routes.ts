import { Refusal } from '../../base/errors/refusal.ts';
import { orNull } from '../../base/schema/or-null.ts';
import { time } from '../../base/schema/time-schema.ts';
import { Type } from '../../base/schema/type.ts';
import { inspectedBatchView } from '../../batches/collections/inspected-batch-view.ts';
import { listOf, listView } from '../routes/list.ts';
import { pageFields, pageOf, unknownAfter } from '../routes/page-fields.ts';
import { adminRouteWith } from './admin-route.ts';

const route = adminRouteWith<'batches'>();

const text = Type.String();

const count = Type.Integer();

const batch = Type.Object(
  {
    id: text,
    collection: Type.Enum(['messages', 'chat']),
    account_id: text,
    key_id: text,
    processing_mode: text,
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

const group = 'Admin: batches';

/** The routes for the batches of all keys. */
export const batchRoutes = [
  route(
    {
      method: 'GET',
      path: '/admin/v1/batches',
      group,
      summary: 'Lists the batches of all keys, with their throughput',
      query: Type.Object({
        ...pageFields,
        status: Type.Optional(
          Type.Enum(['in_progress', 'ended'], {
            description: 'Lists only batches that are in progress, or only ended ones.',
          }),
        ),
      }),
      answer: listOf(batch),
      returns: 'The batches that have not expired, newest first.',
    },
    async ({ query }, { batches }) => {
      const isEnded = query.status && query.status === 'ended';
      const found = await batches.list({ ...pageOf(query), isEnded });
      if (found) return listView(found.items.map(inspectedBatchView), found.hasMore);
      return unknownAfter('a batch');
    },
  ),
  route(
    {
      method: 'GET',
      path: '/admin/v1/batches/{id}',
      group,
      summary: 'Shows a batch',
      answer: batch,
      returns: 'The batch.',
      errors: ['not_found'],
    },
    async ({ params }, { batches }) => {
      const found = await batches.find(params.id);
      return found
        ? inspectedBatchView(found)
        : new Refusal('not_found', { message: 'There is no such batch.' });
    },
  ),
];

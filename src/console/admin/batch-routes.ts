import { Refusal } from '../../base/errors/refusal.ts';
import { Type } from '../../base/schema/type.ts';
import { inspectedBatchView } from '../../batches/collections/inspected-batch-view.ts';
import { listOf, listView } from '../routes/list.ts';
import { pageFields, pageOf, unknownAfter } from '../routes/page-fields.ts';
import { adminRouteWith } from './admin-route.ts';
import { batch } from './batch-view.ts';

const route = adminRouteWith<'batches'>();

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
    async ({ query: { status, ...query } }, { batches }) => {
      const isEnded = status === undefined ? undefined : status === 'ended';
      const page = await batches.list({ ...pageOf(query), isEnded });
      if (!page) throw unknownAfter('a batch');
      return listView(page.items.map(inspectedBatchView), page.hasMore);
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
      const inspected = await batches.find(params.id);
      if (!inspected) throw noBatch();
      return inspectedBatchView(inspected);
    },
  ),
];

const noBatch = (): Refusal => new Refusal('not_found', { message: 'There is no such batch.' });

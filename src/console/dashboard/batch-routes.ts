import {
  batchAnswer,
  batchItems,
  batchItemsQuery,
  batchList,
  batchListQuery,
  deletedAnswer,
} from './batch-schema.ts';
import { dashboardRoute } from './dashboard-route.ts';
import { listBatchItems } from './list-batch-items.ts';
import {
  cancelBatch,
  deleteBatch,
  downloadBatchResults,
  listBatches,
  showBatch,
} from './organization-batches.ts';
import { wholeReply } from './whole-reply.ts';

const BATCHES = '/dashboard/v1/organizations/{account}/batches';
const BATCH = `${BATCHES}/{id}` as const;

/** The routes for the batches of all keys of an organization. */
export const batchRoutes = [
  dashboardRoute(
    { method: 'GET', path: BATCHES, access: 'viewer', query: batchListQuery, answer: batchList },
    listBatches,
  ),
  dashboardRoute({ method: 'GET', path: BATCH, access: 'viewer', answer: batchAnswer }, showBatch),
  dashboardRoute(
    { method: 'POST', path: `${BATCH}/cancel`, access: 'developer', answer: batchAnswer },
    cancelBatch,
  ),
  dashboardRoute({ method: 'DELETE', path: BATCH, access: 'developer', answer: deletedAnswer }, deleteBatch),
  dashboardRoute(
    { method: 'GET', path: `${BATCH}/items`, access: 'viewer', query: batchItemsQuery, answer: batchItems },
    listBatchItems,
  ),
  dashboardRoute(
    { method: 'GET', path: `${BATCH}/results`, access: 'developer', answer: wholeReply },
    downloadBatchResults,
  ),
];

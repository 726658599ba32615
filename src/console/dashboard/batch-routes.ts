import type { Static } from 'typebox';
import { Type } from '../../base/schema/type.ts';
import {
  type AccountBatches,
  type ChargedBatch,
  mayDelete,
  type OfAccount,
} from '../../batches/collections/account-batches.ts';
import { inspectedBatchView } from '../../batches/collections/inspected-batch-view.ts';
import { hasMemberRole } from '../../customers/people/visitor.ts';
import type { Accounts } from '../../money/accounts/accounts.ts';
import { creditsOf } from '../../money/ledger/microcredits.ts';
import { recordContentRead } from '../../watch/requests/record-content-read.ts';
import { accepted } from '../routes/accepted.ts';
import { unknownAfter } from '../routes/page-fields.ts';
import { batchItemView } from './batch-item-view.ts';
import {
  type BatchAnswer,
  type BatchItems,
  batchAnswer,
  batchItems,
  batchItemsQuery,
  batchList,
  batchListQuery,
  deletedAnswer,
} from './batch-schema.ts';
import { type DashboardCall, dashboardRoute } from './dashboard-route.ts';
import { DEFAULT_ROWS } from './list-query.ts';

export type BatchRouteParts = {
  batches: AccountBatches;
  accounts: Pick<Accounts, 'recordRepeated'>;
};

const PATH = '/dashboard/v1/organizations/{account}/batches';

/** The routes for the batches of all keys of an organization. */
export const batchRoutes = [
  dashboardRoute(
    { method: 'GET', path: PATH, access: 'viewer', query: batchListQuery, answer: batchList },
    async ({ accountId, query: { status, limit = DEFAULT_ROWS, after } }, { batches }) => {
      const isEnded = status === undefined ? undefined : status === 'ended';
      const page = await batches.list({ accountId, limit, after, isEnded });
      if (!page) return unknownAfter('a batch');
      return { data: page.items.map(viewOf), has_more: page.hasMore };
    },
  ),
  dashboardRoute(
    { method: 'GET', path: `${PATH}/{id}`, access: 'viewer', answer: batchAnswer },
    async (call, { batches }) => viewOf(accepted(await batches.find(batchOf(call)))),
  ),
  dashboardRoute(
    { method: 'POST', path: `${PATH}/{id}/cancel`, access: 'developer', answer: batchAnswer },
    async (call, { batches }) => viewOf(accepted(await batches.cancel(batchOf(call)))),
  ),
  dashboardRoute(
    { method: 'DELETE', path: `${PATH}/{id}`, access: 'developer', answer: deletedAnswer },
    async (call, { batches }) =>
      (await batches.delete(batchOf(call))) ?? { id: call.params.id, deleted: true },
  ),
  dashboardRoute(
    {
      method: 'GET',
      path: `${PATH}/{id}/items`,
      access: 'viewer',
      query: batchItemsQuery,
      answer: batchItems,
    },
    (call, parts) => listItems(call, parts),
  ),
  dashboardRoute(
    { method: 'GET', path: `${PATH}/{id}/results`, access: 'developer', answer: Type.Unknown() },
    async (call, { batches, accounts }) => {
      const body = accepted(await batches.results(batchOf(call)));
      await recordContentRead(accounts, { ...readerOf(call), part: 'results' });
      const name = `${call.params.id.replace(/\W/g, '')}.jsonl`;
      return {
        status: 200,
        body,
        headers: {
          'content-type': 'application/x-jsonl',
          'content-disposition': `attachment; filename="${name}"`,
        },
      };
    },
  ),
];

type BatchCall = DashboardCall & { params: { id: string } };

/** Lists items of a batch. Viewers see no content. A page that shows an answer is recorded as read. */
async function listItems(
  call: BatchCall & { query: Static<typeof batchItemsQuery> },
  { batches, accounts }: BatchRouteParts,
): Promise<BatchItems> {
  const { after, limit = DEFAULT_ROWS } = call.query;
  const place = after === undefined ? BEFORE_FIRST : Number(after);
  const page = accepted(await batches.items(batchOf(call), { after: place, limit }));
  const isShown = hasMemberRole(call.visitor, call.accountId, 'developer');
  const data = page.rows.map((row) => batchItemView(row, { hasContent: isShown }));
  const answered = data.filter(({ status, result }) => status === 'succeeded' && result !== null);
  const [first, last] = [answered[0], answered.at(-1)];
  if (first && last) {
    const part = `items ${first.number} to ${last.number}`;
    await recordContentRead(accounts, { ...readerOf(call), part });
  }
  return { data, has_more: page.hasMore, content_shown: isShown };
}

/** Items are numbered from 0. */
const BEFORE_FIRST = -1;

const readerOf = (call: BatchCall) =>
  ({ ...batchOf(call), actor: call.visitor.email, kind: 'batch' }) as const;

const batchOf = ({ accountId, params }: BatchCall): OfAccount => ({ accountId, id: params.id });

const viewOf = (batch: ChargedBatch): BatchAnswer => ({
  ...inspectedBatchView(batch),
  credits: creditsOf(batch.chargedMicrocredits),
  can_delete: mayDelete(batch) && batch.endedAt !== null,
});

import { Type } from '../../base/schema/type.ts';
import {
  type AccountBatches,
  type ChargedBatch,
  mayDelete,
  type OfAccount,
} from '../../batches/collections/account-batches.ts';
import { inspectedBatchView } from '../../batches/collections/inspected-batch-view.ts';
import { hasMemberRole, type Visitor } from '../../customers/people/visitor.ts';
import type { Accounts } from '../../money/accounts/accounts.ts';
import { creditsOf } from '../../money/ledger/microcredits.ts';
import { recordContentRead } from '../../watch/requests/record-content-read.ts';
import { accepted } from '../routes/accepted.ts';
import { unknownAfter } from '../routes/page-fields.ts';
import { batchItemView } from './batch-item-view.ts';
import {
  type BatchAnswer,
  batchAnswer,
  batchItems,
  batchItemsQuery,
  batchList,
  batchListQuery,
  deletedAnswer,
} from './batch-schema.ts';
import { dashboardRoute } from './dashboard-route.ts';
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
    async ({ accountId, query }, { batches }) => {
      const isEnded = query.status === undefined ? undefined : query.status === 'ended';
      const page = await batches.list({
        accountId,
        limit: query.limit ?? DEFAULT_ROWS,
        after: query.after,
        isEnded,
      });
      if (!page) return unknownAfter('a batch');
      return { data: page.items.map(viewOf), has_more: page.hasMore };
    },
  ),
  dashboardRoute(
    { method: 'GET', path: `${PATH}/{id}`, access: 'viewer', answer: batchAnswer },
    async (call, { batches }) => viewOf(accepted(await batches.find(named(call)))),
  ),
  dashboardRoute(
    { method: 'POST', path: `${PATH}/{id}/cancel`, access: 'developer', answer: batchAnswer },
    async (call, { batches }) => viewOf(accepted(await batches.cancel(named(call)))),
  ),
  dashboardRoute(
    { method: 'DELETE', path: `${PATH}/{id}`, access: 'developer', answer: deletedAnswer },
    async (call, { batches }) => (await batches.delete(named(call))) ?? { id: named(call).id, deleted: true },
  ),
  dashboardRoute(
    {
      method: 'GET',
      path: `${PATH}/{id}/items`,
      access: 'viewer',
      query: batchItemsQuery,
      answer: batchItems,
    },
    async (call, { batches, accounts }) => {
      const { query } = call;
      const after = query.after === undefined ? -1 : Number(query.after);
      const page = accepted(await batches.items(named(call), { after, limit: query.limit ?? DEFAULT_ROWS }));
      const isShown = hasMemberRole(call.visitor, call.accountId, 'developer');
      const data = page.rows.map((row) => batchItemView(row, { hasContent: isShown }));
      const rows = data.filter(({ status, result }) => status === 'succeeded' && result !== null);
      if (rows.length > 0) {
        const part = `items ${rows[0]!.number} to ${rows.at(-1)!.number}`;
        await recordContentRead(accounts, { ...readerOf(call), part });
      }
      return { data, has_more: page.hasMore, content_shown: isShown };
    },
  ),
  dashboardRoute(
    { method: 'GET', path: `${PATH}/{id}/results`, access: 'developer', answer: Type.Unknown() },
    async (call, { batches, accounts }) => {
      const wanted = named(call);
      const body = accepted(await batches.results(wanted));
      await recordContentRead(accounts, { ...readerOf(call), part: 'results' });
      const name = `${wanted.id.replace(/\W/g, '')}.jsonl`;
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

type Called = { accountId: string; exchange: { params: Record<string, string> } };

const readerOf = (call: Called & { visitor: Visitor }) =>
  ({ ...named(call), actor: call.visitor.email, kind: 'batch' }) as const;

const named = ({ accountId, exchange }: Called): OfAccount => ({ accountId, id: exchange.params.id! });

const viewOf = (batch: ChargedBatch): BatchAnswer => ({
  ...inspectedBatchView(batch),
  credits: creditsOf(batch.chargedMicrocredits),
  can_delete: mayDelete(batch) && batch.endedAt !== null,
});

import { hasMemberRole } from '../../customers/people/visitor.ts';
import { recordContentRead } from '../../watch/requests/record-content-read.ts';
import { accepted } from '../routes/accepted.ts';
import type { WithQuery } from '../routes/typed-route.ts';
import { batchItemView } from './batch-item-view.ts';
import type { BatchItemAnswer, BatchItems, batchItemsQuery } from './batch-schema.ts';
import type { DashboardParts } from './dashboard-parts.ts';
import { DEFAULT_ROWS } from './list-query.ts';
import type { OrganizationBatchCall } from './organization-batches.ts';

/** Items are numbered from 0. */
const BEFORE_FIRST = -1;

/** Lists items of a batch. Viewers see no content. A page that shows an answer is recorded as read. */
export async function listBatchItems(
  { accountId, params: { id }, visitor, query }: OrganizationBatchCall<WithQuery<typeof batchItemsQuery>>,
  { batches, accounts }: DashboardParts,
): Promise<BatchItems> {
  const { limit = DEFAULT_ROWS, after = BEFORE_FIRST } = query;
  const { rows, hasMore } = accepted(await batches.items({ accountId, id }, { after: Number(after), limit }));
  const hasContent = hasMemberRole(visitor, accountId, 'developer');
  const data = rows.map((row) => batchItemView(row, { hasContent }));
  const part = answersIn(data);
  if (part !== undefined)
    await recordContentRead(accounts, { actor: visitor.email, accountId, kind: 'batch', id, part });
  return { data, has_more: hasMore, content_shown: hasContent };
}

/** Names the items whose answers are shown. Returns undefined if there is none. */
function answersIn(items: readonly BatchItemAnswer[]): string | undefined {
  const answered = items.filter(({ status, result }) => status === 'succeeded' && result !== null);
  const first = answered[0];
  const last = answered.at(-1);
  return first && last && `items ${first.number} to ${last.number}`;
}

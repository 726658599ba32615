import type { Static } from 'typebox';
import { type ChargedBatch, canDelete } from '../../batches/collections/account-batches.ts';
import { inspectedBatchView } from '../../batches/collections/inspected-batch-view.ts';
import type { Reply } from '../../edge/http/reply.ts';
import { creditsOf } from '../../money/ledger/microcredits.ts';
import { recordContentRead } from '../../watch/requests/record-content-read.ts';
import { accepted } from '../routes/accepted.ts';
import { unknownAfter } from '../routes/page-fields.ts';
import type { WithParams, WithQuery } from '../routes/typed-route.ts';
import type { BatchAnswer, BatchList, batchListQuery, deletedAnswer } from './batch-schema.ts';
import { changeBy } from './change-by.ts';
import type { DashboardParts } from './dashboard-parts.ts';
import type { OrganizationCall } from './dashboard-route.ts';
import { downloadReply } from './download-reply.ts';
import { DEFAULT_ROWS } from './list-query.ts';

/** A call about the batch that the path names. */
export type OrganizationBatchCall<Input = unknown> = OrganizationCall<WithParams<'id'> & Input>;

/** Lists the batches of all keys of an organization, newest first. */
export async function listBatches(
  { accountId, query }: OrganizationCall<WithQuery<typeof batchListQuery>>,
  { batches }: DashboardParts,
): Promise<BatchList> {
  const { status, limit = DEFAULT_ROWS, after } = query;
  const isEnded = status === undefined ? undefined : status === 'ended';
  const page = await batches.list({ accountId, limit, after, isEnded });
  if (!page) throw unknownAfter('a batch');
  return { data: page.items.map(batchView), has_more: page.hasMore };
}

export async function showBatch(
  { accountId, params: { id } }: OrganizationBatchCall,
  { batches }: DashboardParts,
): Promise<BatchAnswer> {
  return batchView(accepted(await batches.find({ accountId, id })));
}

/** Cancels the items of a batch that have not started. */
export async function cancelBatch(
  { accountId, params: { id }, visitor }: OrganizationBatchCall,
  { batches, accounts }: DashboardParts,
): Promise<BatchAnswer> {
  const batch = accepted(await batches.cancel({ accountId, id }));
  await accounts.record('batch-cancel', id, changeBy(visitor, accountId));
  return batchView(batch);
}

export async function deleteBatch(
  { accountId, params: { id }, visitor }: OrganizationBatchCall,
  { batches, accounts }: DashboardParts,
): Promise<Static<typeof deletedAnswer>> {
  accepted(await batches.delete({ accountId, id }));
  await accounts.record('batch-delete', id, changeBy(visitor, accountId));
  return { id, deleted: true };
}

/** Sends the results of an ended batch as a file. The download is recorded as a reading of content. */
export async function downloadBatchResults(
  { accountId, params: { id }, visitor }: OrganizationBatchCall,
  { batches, accounts }: DashboardParts,
): Promise<Reply> {
  const body = accepted(await batches.results({ accountId, id }));
  await recordContentRead(accounts, { actor: visitor.email, accountId, kind: 'batch', id, part: 'results' });
  return downloadReply({ body, type: 'application/x-jsonl', name: `${id.replace(/\W/g, '')}.jsonl` });
}

const batchView = (batch: ChargedBatch): BatchAnswer => ({
  ...inspectedBatchView(batch),
  credits: creditsOf(batch.chargedMicrocredits),
  can_delete: canDelete(batch) && batch.endedAt !== null,
});

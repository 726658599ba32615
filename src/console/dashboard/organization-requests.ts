import { Refusal } from '../../base/errors/refusal.ts';
import { timeIfGiven } from '../../base/lib/iso-time.ts';
import { entryIdOf, requestIdOf } from '../../money/ledger/entry-id.ts';
import { recordContentRead } from '../../watch/requests/record-content-read.ts';
import { contentView } from '../admin/request-content.ts';
import { pageOf } from '../routes/page-fields.ts';
import type { WithParams, WithQuery } from '../routes/typed-route.ts';
import { answerCost, type CostView, type costQuery } from '../traffic/request-cost.ts';
import type { DashboardParts } from './dashboard-parts.ts';
import type { OrganizationCall } from './dashboard-route.ts';
import type { RequestContentView, RequestDetail, RequestPageView, RequestQuery } from './request-schema.ts';
import { detailView, listedView, receiptPart } from './request-views.ts';

type RequestCall<Input = unknown> = OrganizationCall<WithParams<'id'> & Input>;

/** Lists the requests of an organization, the latest to end first. An id selects one request. */
export async function listRequests(
  { accountId, query, exchange }: OrganizationCall<{ query: RequestQuery }>,
  { requests }: DashboardParts,
): Promise<RequestPageView> {
  const { id, key, model, user, source, status, code, limit, after } = query;
  const kept_s = exchange.snapshot.config.retention.requests_s;
  if (id !== undefined) {
    const record = await requests.find(requestIdOf(id));
    return { data: record?.account === accountId ? [listedView(record)] : [], has_more: false, kept_s };
  }
  const [since, until] = [query.since, query.until].map(timeIfGiven);
  const outcome = status === 'failed' ? { isFailed: true } : { status };
  const filter = { account: accountId, key, model, user, source, code, since, until, ...outcome };
  const { items, hasMore } = await requests.list(filter, pageOf({ limit, after }));
  return { data: items.map(listedView), has_more: hasMore, kept_s };
}

/** Shows the record and the receipt of a request. The receipt is kept longer than the record. */
export async function showRequest(
  { accountId, params }: RequestCall,
  { requests, ledger }: DashboardParts,
): Promise<RequestDetail> {
  const id = requestIdOf(params.id);
  const [found, entry] = await Promise.all([requests.find(id), ledger.findEntry(entryIdOf(id))]);
  const record = found?.account === accountId ? found : undefined;
  const receipt = entry?.accountId === accountId && entry.receipt ? receiptPart(entry, entry.receipt) : null;
  if (!record && !receipt) throw unknownRequest();
  return { id, request: record ? detailView(record) : null, receipt };
}

/** Explains the cost of a request, or computes it on other prices. */
export const explainRequestCost = (
  { params: { id }, query, accountId: account, exchange }: RequestCall<WithQuery<typeof costQuery>>,
  parts: DashboardParts,
): Promise<CostView> =>
  answerCost({ ...parts, catalog: exchange.snapshot.catalog }, { id, account, ...query });

/** Shows the kept content of a request, and records that it was read. */
export async function showRequestContent(
  { accountId, params, visitor }: RequestCall,
  { payloads, accounts }: DashboardParts,
): Promise<RequestContentView> {
  const id = requestIdOf(params.id);
  const kept = await payloads.find(accountId, id);
  if (kept) await recordContentRead(accounts, { actor: visitor.email, accountId, kind: 'request', id });
  return { logging: payloads.isOn(accountId), content: kept ? contentView(kept) : null };
}

const unknownRequest = (): Refusal =>
  new Refusal('not_found', {
    message:
      'No request with this id is kept. Its record may have expired, or it belongs to another organization.',
  });

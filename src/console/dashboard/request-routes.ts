import { Refusal } from '../../base/errors/refusal.ts';
import { isoTime, timeIfGiven } from '../../base/lib/iso-time.ts';
import { entryIdOf, requestIdOf } from '../../money/ledger/entry-id.ts';
import { recordContentRead } from '../../watch/requests/record-content-read.ts';
import { pageOf } from '../routes/page-fields.ts';
import { answerCost, costQuery, requestCost } from '../traffic/request-cost.ts';
import type { DashboardParts } from './dashboard-parts.ts';
import { type DashboardCall, dashboardRoute } from './dashboard-route.ts';
import {
  type RequestContentView,
  type RequestDetail,
  type RequestPageView,
  type RequestQuery,
  requestContent,
  requestDetail,
  requestPage,
  requestQuerySchema,
} from './request-schema.ts';
import { detailView, listedView, receiptPart } from './request-views.ts';

const PATH = '/dashboard/v1/organizations/{account}/requests';

/** The requests of an organization, with the reasons of refusals and with receipts. */
export const requestRoutes = [
  dashboardRoute(
    { method: 'GET', path: PATH, access: 'viewer', query: requestQuerySchema, answer: requestPage },
    (call, parts) => listRequests(parts, call),
  ),
  dashboardRoute(
    { method: 'GET', path: `${PATH}/{id}`, access: 'viewer', answer: requestDetail },
    (call, parts) => showRequest(parts, call),
  ),
  dashboardRoute(
    { method: 'GET', path: `${PATH}/{id}/cost`, access: 'viewer', query: costQuery, answer: requestCost },
    ({ params: { id }, query, accountId: account, exchange }, parts) =>
      answerCost({ ...parts, catalog: exchange.snapshot.catalog }, { id, account, ...query }),
  ),
  dashboardRoute(
    { method: 'GET', path: `${PATH}/{id}/content`, access: 'developer', answer: requestContent },
    (call, parts) => showContent(parts, call),
  ),
];

type IdCall = DashboardCall & { params: { id: string } };

async function listRequests(
  { requests }: DashboardParts,
  { accountId, query, exchange }: DashboardCall & { query: RequestQuery },
): Promise<RequestPageView | Refusal> {
  const { id, key, model, user, source, status, code, limit, after } = query;
  const about = { kept_s: exchange.snapshot.config.retention.requests_s };
  if (id !== undefined) {
    const record = await requests.find(requestIdOf(id));
    return { data: record?.account === accountId ? [listedView(record)] : [], has_more: false, ...about };
  }
  const [since, until] = [query.since, query.until].map(timeIfGiven);
  const outcome = status === 'failed' ? { isFailed: true } : { status };
  const filter = { account: accountId, key, model, user, source, code, since, until, ...outcome };
  const { items, hasMore } = await requests.list(filter, pageOf({ limit, after }));
  return { data: items.map(listedView), has_more: hasMore, ...about };
}

async function showRequest(
  { requests, ledger }: DashboardParts,
  { accountId, params }: IdCall,
): Promise<RequestDetail | Refusal> {
  const id = requestIdOf(params.id);
  const [found, entry] = await Promise.all([requests.find(id), ledger.findEntry(entryIdOf(id))]);
  const record = found?.account === accountId ? found : undefined;
  const receipt = entry?.accountId === accountId && entry.receipt ? receiptPart(entry, entry.receipt) : null;
  if (!record && !receipt) return unknownRequest();
  return { id, request: record ? detailView(record) : null, receipt };
}

async function showContent(
  { content, accounts }: DashboardParts,
  { accountId, params, visitor }: IdCall,
): Promise<RequestContentView> {
  const id = requestIdOf(params.id);
  const found = await content.find(accountId, id);
  if (found) await recordContentRead(accounts, { actor: visitor.email, accountId, kind: 'request', id });
  return {
    logging: content.isOn(accountId),
    content: found
      ? {
          request: found.request,
          answer: found.answer,
          withheld: found.withheld ?? null,
          request_cut: found.isRequestCut,
          answer_cut: found.isAnswerCut,
          expires_at: isoTime(found.expiresAt),
        }
      : null,
  };
}

const unknownRequest = () =>
  new Refusal('not_found', {
    message:
      'No request with this id is kept. Its record may have expired, or it belongs to another organization.',
  });

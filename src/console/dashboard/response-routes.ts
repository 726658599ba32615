import type { AccountResponses } from '../../api/responses/account-responses.ts';
import { Refusal } from '../../base/errors/refusal.ts';
import { Type } from '../../base/schema/type.ts';
import type { Reply } from '../../edge/http/reply.ts';
import type { ListedResponse } from '../../inference/responses/response-store.ts';
import type { Accounts } from '../../money/accounts/accounts.ts';
import { accountFigures } from '../../money/accounts/plan-terms.ts';
import { type StoredBytes, storedView } from '../../money/limits/stored-bytes.ts';
import { recordContentRead } from '../../watch/requests/record-content-read.ts';
import { accepted } from '../routes/accepted.ts';
import { unknownAfter } from '../routes/page-fields.ts';
import { unlessRefused } from '../routes/unless-refused.ts';
import { deletedAnswer } from './batch-schema.ts';
import { type DashboardCall, dashboardRoute } from './dashboard-route.ts';
import { DEFAULT_ROWS, listQuery } from './list-query.ts';
import { responseDetail, responseItems, responseList } from './response-schema.ts';
import { responseDetailView, responseItemsView, responseView } from './response-views.ts';

export type ResponseRouteParts = {
  responses: AccountResponses;
  accounts: Pick<Accounts, 'find' | 'recordRepeated'>;
  stored: StoredBytes;
};

const PATH = '/dashboard/v1/organizations/{account}/responses';

/** The routes for the stored responses of all keys of an organization. */
export const responseRoutes = [
  dashboardRoute(
    { method: 'GET', path: PATH, access: 'viewer', query: listQuery, answer: responseList },
    async ({ exchange, accountId, query: { limit = DEFAULT_ROWS, after } }, parts) => {
      const { responses, accounts, stored } = parts;
      const account = accepted(await accounts.find(accountId));
      const page = await responses.list({ accountId, limit, after });
      if (!page) return unknownAfter('a stored response');
      const { storedMb } = accountFigures(account, exchange.snapshot.plans);
      const storage = storedView(await stored.storedBytes(accountId), storedMb);
      return { data: page.items.map(responseView), has_more: page.hasMore, storage };
    },
  ),
  dashboardRoute(
    { method: 'DELETE', path: `${PATH}/{id}`, access: 'developer', answer: deletedAnswer },
    async ({ params: { id }, accountId }, { responses }) =>
      (await responses.delete({ accountId, id })) ?? { id, deleted: true },
  ),
  dashboardRoute(
    { method: 'GET', path: `${PATH}/{id}`, access: 'developer', answer: responseDetail },
    (call, parts) =>
      withResponse(call, parts, 'output', async (response) => {
        const envelope = accepted(await parts.responses.envelope(call.exchange, response));
        return responseDetailView(response, await parts.responses.chain(response, call.accountId), envelope);
      }),
  ),
  dashboardRoute(
    {
      method: 'GET',
      path: `${PATH}/{id}/items`,
      access: 'developer',
      query: listQuery,
      answer: responseItems,
    },
    (call, parts) =>
      withResponse(call, parts, 'input', (response) => {
        const { limit = DEFAULT_ROWS, after } = call.query;
        const page = parts.responses.items(call.exchange, response, { limit, after });
        return unlessRefused(page, responseItemsView);
      }),
  ),
  dashboardRoute(
    { method: 'GET', path: `${PATH}/{id}/download`, access: 'developer', answer: Type.Unknown() },
    (call, parts) =>
      withResponse(call, parts, 'download', (response) =>
        unlessRefused(parts.responses.envelope(call.exchange, response), (body) =>
          fileReply(response.id, body),
        ),
      ),
  ),
];

type ResponseCall = DashboardCall & { params: { id: string } };

/** Finds a response of the organization, answers with it, and records that the visitor has read the part. */
async function withResponse<Answer>(
  { accountId, params, visitor }: ResponseCall,
  { responses, accounts }: ResponseRouteParts,
  part: string,
  answer: (response: ListedResponse) => Promise<Answer | Refusal>,
): Promise<Answer | Refusal> {
  const response = accepted(await responses.find({ accountId, id: params.id }));
  const view = await answer(response);
  if (view instanceof Refusal) return view;
  const reading = { actor: visitor.email, accountId, kind: 'response', id: response.id, part } as const;
  await recordContentRead(accounts, reading);
  return view;
}

const fileReply = (id: string, body: string): Reply => ({
  status: 200,
  body,
  headers: {
    'content-type': 'application/json',
    'content-disposition': `attachment; filename="${id.replace(/\W/g, '')}.json"`,
  },
});

import type { AccountResponses, ChainLink } from '../../api/responses/account-responses.ts';
import type { Refusal } from '../../base/errors/refusal.ts';
import { isoTime } from '../../base/lib/iso-time.ts';
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
import {
  type ResponseDetail,
  type ResponseItems,
  responseDetail,
  responseItems,
  responseList,
  type StoredResponseView,
} from './response-schema.ts';
import { shortenTexts } from './shorten-texts.ts';

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
    async ({ exchange, accountId, query }, parts) => {
      const { responses, accounts, stored } = parts;
      const account = accepted(await accounts.find(accountId));
      const page = await responses.list({
        accountId,
        limit: query.limit ?? DEFAULT_ROWS,
        after: query.after,
      });
      if (!page) return unknownAfter('a stored response');
      const { storedMb } = accountFigures(account, exchange.snapshot.plans);
      const storage = storedView(await stored.storedBytes(accountId), storedMb);
      return { data: page.items.map(viewOf), has_more: page.hasMore, storage };
    },
  ),
  dashboardRoute(
    { method: 'DELETE', path: `${PATH}/{id}`, access: 'developer', answer: deletedAnswer },
    async ({ params, accountId }, parts) => {
      const id = params.id;
      return (await parts.responses.delete({ accountId, id })) ?? { id, deleted: true };
    },
  ),
  dashboardRoute(
    { method: 'GET', path: `${PATH}/{id}`, access: 'developer', answer: responseDetail },
    (call, parts) =>
      withResponse(call, parts, 'output', async (found) => {
        const envelope = accepted(await parts.responses.envelope(call.exchange, found));
        return detailOf(found, await parts.responses.chain(found, call.accountId), envelope);
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
      withResponse(call, parts, 'input', (found) => {
        const { limit = DEFAULT_ROWS, after } = call.query;
        return unlessRefused(parts.responses.items(call.exchange, found, { limit, after }), itemsOf);
      }),
  ),
  dashboardRoute(
    { method: 'GET', path: `${PATH}/{id}/download`, access: 'developer', answer: Type.Unknown() },
    (call, parts) =>
      withResponse(call, parts, 'download', (found) =>
        unlessRefused(parts.responses.envelope(call.exchange, found), (body) => fileReply(found.id, body)),
      ),
  ),
];

type ResponseCall = DashboardCall & { params: { id: string } };

/** Finds a response of the organization, answers with it, and records that the visitor has read the part. */
const withResponse = <Answer>(
  { accountId, params, visitor }: ResponseCall,
  { responses, accounts }: ResponseRouteParts,
  part: string,
  answer: (found: ListedResponse) => Promise<Answer | Refusal>,
): Promise<Answer | Refusal> =>
  unlessRefused(responses.find({ accountId, id: params.id }), (found) =>
    unlessRefused(answer(found), async (view) => {
      const reading = { actor: visitor.email, accountId, kind: 'response', id: found.id, part } as const;
      await recordContentRead(accounts, reading);
      return view;
    }),
  ) as Promise<Answer | Refusal>;

const fileReply = (id: string, body: string): Reply => ({
  status: 200,
  body,
  headers: {
    'content-type': 'application/json',
    'content-disposition': `attachment; filename="${id.replace(/\W/g, '')}.json"`,
  },
});

const viewOf = (response: ListedResponse): StoredResponseView => ({
  id: response.id,
  key_id: response.keyId,
  model: response.model,
  created_at: isoTime(response.createdAt),
  expires_at: isoTime(response.expiresAt),
  bytes: response.bytes,
  previous_response_id: response.previousId,
  turns: response.turns,
});

type Envelope = { status?: unknown; instructions?: unknown; output?: unknown[]; usage?: unknown };

function detailOf(found: ListedResponse, chain: readonly ChainLink[], envelope: string): ResponseDetail {
  const { status, instructions, output, usage } = JSON.parse(envelope) as Envelope;
  const shown = shortenTexts({ instructions, output });
  const { instructions: sent, output: items } = shown.value as Envelope;
  return {
    ...viewOf(found),
    chain: chain.map(({ id, response }) => ({
      id,
      model: response?.model ?? null,
      created_at: response ? isoTime(response.createdAt) : null,
    })),
    status: String(status ?? 'completed'),
    instructions: typeof sent === 'string' ? sent : null,
    output: items ?? [],
    usage: usage ?? null,
    is_cut: shown.isCut,
  };
}

function itemsOf(page: string): ResponseItems {
  const { data, has_more, last_id } = JSON.parse(page) as Omit<ResponseItems, 'is_cut'>;
  const { value, isCut } = shortenTexts(data);
  return { data: value as unknown[], has_more, last_id, is_cut: isCut };
}

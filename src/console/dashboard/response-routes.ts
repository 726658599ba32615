import type { AccountResponses, ChainLink } from '../../api/responses/account-responses.ts';
import { Refusal } from '../../base/errors/refusal.ts';
import { isoTime } from '../../base/lib/iso-time.ts';
import { Type } from '../../base/schema/type.ts';
import type { Visitor } from '../../customers/people/visitor.ts';
import type { ListedResponse } from '../../inference/responses/response-store.ts';
import type { Accounts } from '../../money/accounts/accounts.ts';
import { accountFigures } from '../../money/accounts/plan-terms.ts';
import { type StoredBytes, storedView } from '../../money/limits/stored-bytes.ts';
import { recordContentRead } from '../../watch/requests/record-content-read.ts';
import { unknownAfter } from '../routes/page-fields.ts';
import { deletedAnswer } from './batch-schema.ts';
import { dashboardRoute } from './dashboard-route.ts';
import { listQuery, rowsOf } from './list-query.ts';
import {
  type ResponseDetail,
  type ResponseItems,
  responseDetail,
  responseItems,
  responseItemsQuery,
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
      const account = await accounts.find(accountId);
      if (account instanceof Refusal) return account;
      const page = await responses.list({ accountId, limit: rowsOf(query), after: query.after });
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
    async ({ exchange, params, accountId, visitor }, { responses, accounts }) => {
      const found = await responses.find({ accountId, id: params.id });
      if (found instanceof Refusal) return found;
      const envelope = await responses.envelope(exchange, found);
      if (envelope instanceof Refusal) return envelope;
      await recordContentRead(accounts, { ...responseOf(found, { accountId, visitor }), part: 'output' });
      return detailOf(found, await responses.chain(found, accountId), envelope);
    },
  ),
  dashboardRoute(
    {
      method: 'GET',
      path: `${PATH}/{id}/items`,
      access: 'developer',
      query: responseItemsQuery,
      answer: responseItems,
    },
    async ({ exchange, params, accountId, visitor, query }, { responses, accounts }) => {
      const found = await responses.find({ accountId, id: params.id });
      if (found instanceof Refusal) return found;
      const page = await responses.items(exchange, found, { limit: rowsOf(query), after: query.after });
      if (page instanceof Refusal) return page;
      await recordContentRead(accounts, { ...responseOf(found, { accountId, visitor }), part: 'input' });
      return itemsOf(page);
    },
  ),
  dashboardRoute(
    { method: 'GET', path: `${PATH}/{id}/download`, access: 'developer', answer: Type.Unknown() },
    async ({ exchange, params, accountId, visitor }, { responses, accounts }) => {
      const found = await responses.find({ accountId, id: params.id });
      if (found instanceof Refusal) return found;
      const body = await responses.envelope(exchange, found);
      if (body instanceof Refusal) return body;
      await recordContentRead(accounts, { ...responseOf(found, { accountId, visitor }), part: 'download' });
      const disposition = `attachment; filename="${found.id.replace(/\W/g, '')}.json"`;
      return {
        status: 200,
        body,
        headers: { 'content-type': 'application/json', 'content-disposition': disposition },
      };
    },
  ),
];

const responseOf = (
  { id }: ListedResponse,
  { accountId, visitor }: { accountId: string; visitor: Visitor },
) => ({ actor: visitor.email, accountId, kind: 'response', id }) as const;

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

import { Refusal } from '../../base/errors/refusal.ts';
import { isoTime } from '../../base/lib/iso-time.ts';
import type { AdminRole } from '../../customers/operators/admin-token.ts';
import { jsonReply } from '../../edge/http/reply.ts';
import type { Route } from '../../edge/http/route.ts';
import { recordContentRead } from '../../watch/requests/record-content-read.ts';
import { type AdminDependencies, actorOf } from './admin-dependencies.ts';
import { payloadBody, payloadDescriptions as told } from './payload-descriptions.ts';
import type { AdminRoute } from './require-admin-token.ts';

/** Operators with the role `read_only` see no recorded content. */
const CONTENT_READERS: readonly AdminRole[] = ['owner', 'operator'];

const PATH = '/admin/v1/accounts/{id}/payload_logging';

/** The routes that turn the recording of content on and off for an account, and delete what was recorded. */
export function payloadRoutes({ accounts, content, requests, readBody }: AdminDependencies): AdminRoute[] {
  const view = (accountId: string) => ({ account_id: accountId, enabled: content.isOn(accountId) });

  const show: Route['handle'] = async ({ params }) => {
    const account = await accounts.find(params.id!);
    return account instanceof Refusal ? account : jsonReply(200, view(account.id));
  };

  const change: Route['handle'] = async (exchange) => {
    const body = await payloadBody(exchange, readBody);
    if (body instanceof Refusal) return body;
    const account = await accounts.find(exchange.params.id!);
    if (account instanceof Refusal) return account;
    const before = { enabled: content.isOn(account.id) };
    await content.set(account.id, body.enabled);
    const after = { enabled: body.enabled };
    await accounts.record('payload-logging', account.id, { before, after, actor: actorOf(exchange) });
    return jsonReply(200, { account_id: account.id, ...after });
  };

  const remove: Route['handle'] = async (exchange) => {
    const account = await accounts.find(exchange.params.id!);
    if (account instanceof Refusal) return account;
    const deleted = await content.delete(account.id);
    const after = { deleted };
    await accounts.record('payload-delete', account.id, { before: null, after, actor: actorOf(exchange) });
    return jsonReply(200, { account_id: account.id, deleted });
  };

  const showContent: Route['handle'] = async (exchange) => {
    const record = await requests.find(exchange.params.id!);
    const found = record && (await content.find(record.account, record.request_id));
    if (!found) return new Refusal('not_found', { message: 'No content of this request is kept.' });
    const [accountId, id] = [record.account, record.request_id];
    await recordContentRead(accounts, { actor: actorOf(exchange), accountId, kind: 'request', id });
    return jsonReply(200, {
      request: found.request,
      answer: found.answer,
      request_cut: found.isRequestCut,
      answer_cut: found.isAnswerCut,
      withheld: found.withheld ?? null,
      expires_at: isoTime(found.expiresAt),
    });
  };

  return [
    { method: 'GET', path: PATH, handle: show, describe: told.show },
    { method: 'PATCH', path: PATH, handle: change, describe: told.change },
    { method: 'DELETE', path: `${PATH}/content`, handle: remove, describe: told.remove },
    {
      method: 'GET',
      path: '/admin/v1/requests/{id}/content',
      roles: CONTENT_READERS,
      handle: showContent,
      describe: told.content,
    },
  ];
}

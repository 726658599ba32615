import { Refusal } from '../../base/errors/refusal.ts';
import { jsonReply } from '../../edge/http/reply.ts';
import type { Route } from '../../edge/http/route.ts';
import type { KeyChange } from '../../money/accounts/accounts.ts';
import type { ApiKey } from '../../money/accounts/api-key.ts';
import { keyBody } from './account-bodies.ts';
import { ADMIN, type AdminDependencies } from './admin-dependencies.ts';
import { adminDescriptions as told } from './admin-descriptions.ts';
import { keyView } from './key-view.ts';
import { listView } from './list-view.ts';
import { withTrimmedTexts } from './name-texts.ts';

export function keyRoutes({ accounts, readBody }: AdminDependencies): Route[] {
  const create: Route['handle'] = async (exchange) => {
    const body = await keyBody(exchange, readBody);
    if (body instanceof Refusal) return body;
    const created = await accounts.createKey(exchange.params.id!, fieldsOf(body), ADMIN);
    if (created instanceof Refusal) return created;
    const { id, ...view } = keyView(created.apiKey);
    return jsonReply(201, { id, key: created.secret, ...view });
  };

  const list: Route['handle'] = async (exchange) => {
    const keys = await accounts.listKeys(exchange.params.id!);
    return keys instanceof Refusal ? keys : jsonReply(200, listView(keys.map(keyView)));
  };

  const change: Route['handle'] = async (exchange) => {
    const body = await keyBody(exchange, readBody);
    if (body instanceof Refusal) return body;
    return answer(await accounts.changeKey(exchange.params.id!, fieldsOf(body), ADMIN));
  };

  const revoke: Route['handle'] = async (exchange) =>
    answer(await accounts.revokeKey(exchange.params.id!, ADMIN));

  return [
    { method: 'POST', path: '/admin/v1/accounts/{id}/keys', handle: create, describe: told.createKey },
    { method: 'GET', path: '/admin/v1/accounts/{id}/keys', handle: list, describe: told.listKeys },
    { method: 'PATCH', path: '/admin/v1/keys/{id}', handle: change, describe: told.changeKey },
    { method: 'DELETE', path: '/admin/v1/keys/{id}', handle: revoke, describe: told.revokeKey },
  ];
}

const answer = (key: ApiKey | Refusal) => (key instanceof Refusal ? key : jsonReply(200, keyView(key)));

type KeyBody = Exclude<Awaited<ReturnType<typeof keyBody>>, Refusal>;

const fieldsOf = ({ monthly_cap_usd, allowed_models, ...asTheyAre }: KeyBody): KeyChange => ({
  ...withTrimmedTexts(asTheyAre),
  ...(monthly_cap_usd !== undefined && { monthlyCapUsd: monthly_cap_usd }),
  ...(allowed_models !== undefined && { allowedModels: allowed_models }),
});

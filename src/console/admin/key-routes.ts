import { Refusal } from '../../base/errors/refusal.ts';
import { jsonReply } from '../../edge/http/reply.ts';
import type { Route } from '../../edge/http/route.ts';
import type { KeyWithSecret } from '../../money/accounts/accounts.ts';
import type { ApiKey } from '../../money/accounts/api-key.ts';
import { keyBody } from './account-bodies.ts';
import { type AdminDependencies, actorOf } from './admin-dependencies.ts';
import { adminDescriptions as told } from './admin-descriptions.ts';
import { keyFieldsOf } from './key-fields.ts';
import { keyView } from './key-view.ts';
import { listView } from './list-view.ts';
import { rotationBody } from './token-bodies.ts';

export function keyRoutes({ accounts, keyUses, readBody }: AdminDependencies): Route[] {
  const viewOf = async (key: ApiKey) => keyView(key, (await keyUses.of(key.accountId)).get(key.id));

  const answer = async (key: ApiKey | Refusal) =>
    key instanceof Refusal ? key : jsonReply(200, await viewOf(key));

  /** The secret is shown only once, so a failed read of the last use does not withhold it. */
  const withSecret = async ({ apiKey, secret }: KeyWithSecret) => {
    const { id, ...view } = await viewOf(apiKey).catch(() => keyView(apiKey));
    return { id, key: secret, ...view };
  };

  const create: Route['handle'] = async (exchange) => {
    const body = await keyBody(exchange, readBody);
    if (body instanceof Refusal) return body;
    const wanted = keyFieldsOf(body);
    if (wanted instanceof Refusal) return wanted;
    const created = await accounts.createKey(exchange.params.id!, wanted, actorOf(exchange));
    return created instanceof Refusal ? created : jsonReply(201, await withSecret(created));
  };

  const list: Route['handle'] = async (exchange) => {
    const keys = await accounts.listKeys(exchange.params.id!);
    if (keys instanceof Refusal) return keys;
    const uses = await keyUses.of(exchange.params.id!);
    return jsonReply(200, listView(keys.map((key) => keyView(key, uses.get(key.id)))));
  };

  const change: Route['handle'] = async (exchange) => {
    const body = await keyBody(exchange, readBody);
    if (body instanceof Refusal) return body;
    const wanted = keyFieldsOf(body);
    if (wanted instanceof Refusal) return wanted;
    return answer(await accounts.changeKey(exchange.params.id!, wanted, actorOf(exchange)));
  };

  const rotate: Route['handle'] = async (exchange) => {
    const body = await rotationBody(exchange, readBody);
    if (body instanceof Refusal) return body;
    const overlapMs = (body.overlap_s ?? 0) * 1_000;
    const rotated = await accounts.rotateKey(exchange.params.id!, overlapMs, actorOf(exchange));
    return rotated instanceof Refusal ? rotated : jsonReply(200, await withSecret(rotated));
  };

  const revoke: Route['handle'] = async (exchange) =>
    answer(await accounts.revokeKey(exchange.params.id!, actorOf(exchange)));

  return [
    { method: 'POST', path: '/admin/v1/accounts/{id}/keys', handle: create, describe: told.createKey },
    { method: 'GET', path: '/admin/v1/accounts/{id}/keys', handle: list, describe: told.listKeys },
    { method: 'PATCH', path: '/admin/v1/keys/{id}', handle: change, describe: told.changeKey },
    { method: 'POST', path: '/admin/v1/keys/{id}/rotate', handle: rotate, describe: told.rotateKey },
    { method: 'DELETE', path: '/admin/v1/keys/{id}', handle: revoke, describe: told.revokeKey },
  ];
}

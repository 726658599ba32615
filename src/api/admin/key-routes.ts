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

export function keyRoutes({ accounts, readBody }: AdminDependencies): Route[] {
  const create: Route['handle'] = async (exchange) => {
    const body = await keyBody(exchange, readBody);
    if (body instanceof Refusal) return body;
    const wanted = keyFieldsOf(body);
    if (wanted instanceof Refusal) return wanted;
    const created = await accounts.createKey(exchange.params.id!, wanted, actorOf(exchange));
    return created instanceof Refusal ? created : jsonReply(201, withSecret(created));
  };

  const list: Route['handle'] = async (exchange) => {
    const keys = await accounts.listKeys(exchange.params.id!);
    return keys instanceof Refusal ? keys : jsonReply(200, listView(keys.map(keyView)));
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
    return rotated instanceof Refusal ? rotated : jsonReply(200, withSecret(rotated));
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

const answer = (key: ApiKey | Refusal) => (key instanceof Refusal ? key : jsonReply(200, keyView(key)));

function withSecret({ apiKey, secret }: KeyWithSecret) {
  const { id, ...view } = keyView(apiKey);
  return { id, key: secret, ...view };
}

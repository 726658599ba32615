import { Refusal } from '../../base/errors/refusal.ts';
import type { AdminRole } from '../../customers/operators/admin-token.ts';
import type { TokenService, TokenWithSecret } from '../../customers/operators/token-service.ts';
import { jsonReply } from '../../edge/http/reply.ts';
import type { Route } from '../../edge/http/route.ts';
import { type AdminDependencies, actorOf } from './admin-dependencies.ts';
import { listView } from './list-view.ts';
import type { AdminRoute } from './require-admin-token.ts';
import { expiryOf, newTokenBody, rotationBody } from './token-bodies.ts';
import { tokenDescriptions as told } from './token-descriptions.ts';
import { tokenView } from './token-view.ts';

/** A rotation shows a token too, and a revocation could lock out an owner. */
const OWNERS: readonly AdminRole[] = ['owner'];

/** The routes for admin tokens. */
export function tokenRoutes(
  service: TokenService,
  { readBody }: Pick<AdminDependencies, 'readBody'>,
): AdminRoute[] {
  const create: Route['handle'] = async (exchange) => {
    const body = await newTokenBody(exchange, readBody);
    if (body instanceof Refusal) return body;
    const expiresAt = expiryOf(body.expires_at ?? null);
    if (expiresAt instanceof Refusal) return expiresAt;
    const { name, role } = body;
    const created = await service.create({ name: name.trim(), role, expiresAt }, actorOf(exchange));
    return created instanceof Refusal ? created : jsonReply(201, withSecret(created));
  };

  const list: Route['handle'] = async () => jsonReply(200, listView((await service.list()).map(tokenView)));

  const rotate: Route['handle'] = async (exchange) => {
    const body = await rotationBody(exchange, readBody);
    if (body instanceof Refusal) return body;
    const overlapMs = (body.overlap_s ?? 0) * 1_000;
    const rotated = await service.rotate(exchange.params.id!, overlapMs, actorOf(exchange));
    return rotated instanceof Refusal ? rotated : jsonReply(200, withSecret(rotated));
  };

  const revoke: Route['handle'] = async (exchange) => {
    const revoked = await service.revoke(exchange.params.id!, actorOf(exchange));
    return revoked instanceof Refusal ? revoked : jsonReply(200, tokenView(revoked));
  };

  const one = '/admin/v1/tokens/{id}';
  return [
    { method: 'POST', path: '/admin/v1/tokens', roles: OWNERS, handle: create, describe: told.createToken },
    { method: 'GET', path: '/admin/v1/tokens', handle: list, describe: told.listTokens },
    { method: 'POST', path: `${one}/rotate`, roles: OWNERS, handle: rotate, describe: told.rotateToken },
    { method: 'DELETE', path: one, roles: OWNERS, handle: revoke, describe: told.revokeToken },
  ];
}

function withSecret({ token, secret }: TokenWithSecret) {
  const { id, ...view } = tokenView(token);
  return { id, token: secret, ...view };
}

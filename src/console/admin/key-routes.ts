import { msOf } from '../../base/lib/units.ts';
import type { KeyWithSecret } from '../../money/accounts/accounts.ts';
import type { ApiKey } from '../../money/accounts/api-key.ts';
import { accepted } from '../routes/accepted.ts';
import { listOf, listView } from '../routes/list.ts';
import type { ViewOf } from '../routes/typed-route.ts';
import type { AdminParts } from './admin-parts.ts';
import { adminRouteWith } from './admin-route.ts';
import { keyBody, keyChangeOf } from './key-body.ts';
import { type KeyView, key, keyView, newKey } from './key-view.ts';
import { rotationBody } from './secret-fields.ts';

const route = adminRouteWith<'accounts' | 'keyUses'>();

const group = 'Admin: API keys';
const ONE = '/admin/v1/keys/{id}';

/** The routes for the API keys of accounts. */
export const keyRoutes = [
  route(
    {
      method: 'POST',
      path: '/admin/v1/accounts/{id}/keys',
      group,
      summary: 'Creates an API key',
      body: keyBody,
      bodyExample: { name: 'production', monthly_cap_usd: 50 },
      status: 201,
      answer: newKey,
      returns: 'The key. The full key is shown only in this answer.',
      errors: ['not_found', 'account_closed', 'limit_reached'],
    },
    async ({ params, body, actor }, parts) => {
      const created = await parts.accounts.createKey(params.id, keyChangeOf(body), actor);
      return newKeyView(parts.keyUses, accepted(created));
    },
  ),
  route(
    {
      method: 'GET',
      path: '/admin/v1/accounts/{id}/keys',
      group,
      summary: "Lists an account's API keys, revoked ones included",
      answer: listOf(key),
      returns: 'The keys. Each one shows only its first characters.',
      errors: ['not_found'],
    },
    async ({ params }, { accounts, keyUses }) => {
      const keys = accepted(await accounts.listKeys(params.id));
      const uses = await keyUses.of(params.id);
      return listView(keys.map((apiKey) => keyView(apiKey, uses.get(apiKey.id))));
    },
  ),
  route(
    {
      method: 'PATCH',
      path: ONE,
      group,
      summary: 'Changes an API key',
      body: keyBody,
      bodyExample: { monthly_cap_usd: null },
      answer: key,
      returns: 'The updated key.',
      errors: ['not_found', 'conflict', 'account_closed'],
    },
    async ({ params, body, actor }, parts) =>
      usedKeyView(
        parts.keyUses,
        accepted(await parts.accounts.changeKey(params.id, keyChangeOf(body), actor)),
      ),
  ),
  route(
    {
      method: 'POST',
      path: `${ONE}/rotate`,
      group,
      summary: 'Gives an API key a new secret; the replaced one stays valid for `overlap_s`',
      body: rotationBody,
      bodyExample: { overlap_s: 3_600 },
      answer: newKey,
      returns:
        'The key with its new secret, which is shown only in this answer. Its id and its settings stay.',
      errors: ['not_found', 'conflict', 'account_closed'],
    },
    async ({ params, body: { overlap_s = 0 }, actor }, parts) =>
      newKeyView(parts.keyUses, accepted(await parts.accounts.rotateKey(params.id, msOf(overlap_s), actor))),
  ),
  route(
    {
      method: 'DELETE',
      path: ONE,
      group,
      summary: 'Revokes an API key permanently',
      answer: key,
      returns: 'The key, with the time of its revocation.',
      errors: ['not_found'],
    },
    async ({ params, actor }, parts) =>
      usedKeyView(parts.keyUses, accepted(await parts.accounts.revokeKey(params.id, actor))),
  ),
];

const usedKeyView = async (keyUses: AdminParts['keyUses'], apiKey: ApiKey): Promise<KeyView> =>
  keyView(apiKey, (await keyUses.of(apiKey.accountId)).get(apiKey.id));

/** The secret is shown only once, so a failed read of the last use does not withhold it. */
async function newKeyView(
  keyUses: AdminParts['keyUses'],
  { apiKey, secret }: KeyWithSecret,
): Promise<ViewOf<typeof newKey>> {
  const { id, ...view } = await usedKeyView(keyUses, apiKey).catch(() => keyView(apiKey));
  return { id, key: secret, ...view };
}

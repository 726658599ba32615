import { Refusal } from '../../base/errors/refusal.ts';
import { msOf } from '../../base/lib/units.ts';
import type { KeyWithSecret } from '../../money/accounts/accounts.ts';
import type { ApiKey } from '../../money/accounts/api-key.ts';
import { keyBody, keyChangeOf } from '../admin/key-body.ts';
import { rotationBody } from '../admin/secret-fields.ts';
import { accepted } from '../routes/accepted.ts';
import type { DashboardParts } from './dashboard-parts.ts';
import { type DashboardCall, dashboardRoute } from './dashboard-route.ts';
import { keepingOwner, ownedBy, refuseBudgetFreeSecret, refuseOthersSecret } from './key-owners.ts';
import {
  type KeyNames,
  keyList,
  keyNames,
  keysQuery,
  type ListedKey,
  listedKey,
  type ShownKey,
  shownKey,
} from './key-schema.ts';
import { hasEnded } from './key-state.ts';
import { listKeys } from './list-keys.ts';
import { showKeys } from './show-keys.ts';

const KEYS = '/dashboard/v1/organizations/{account}/keys';
const KEY = `${KEYS}/{key}` as const;

type Call = Pick<DashboardCall, 'accountId' | 'visitor'> & { params: { key: string } };

/** The keys of an organization. Only the answer that makes a secret has one. */
export const keyRoutes = [
  dashboardRoute(
    { method: 'GET', path: KEYS, access: 'viewer', query: keysQuery, answer: keyList },
    ({ accountId, query }, parts) => listKeys(parts, accountId, query),
  ),
  dashboardRoute(
    { method: 'GET', path: `${KEYS}/names`, access: 'viewer', answer: keyNames },
    ({ accountId }, parts) => nameKeys(parts, accountId),
  ),
  dashboardRoute({ method: 'GET', path: KEY, access: 'viewer', answer: listedKey }, async (call, parts) =>
    showKey(parts, await findKey(parts, call)),
  ),
  dashboardRoute(
    { method: 'POST', path: KEYS, access: 'developer', body: keyBody, status: 201, answer: shownKey },
    async (call, parts) => {
      const wanted = accepted(ownedBy(call, keyChangeOf(call.body)));
      const created = await parts.accounts.createKey(call.accountId, wanted, call.visitor.email);
      return showSecret(parts, accepted(created));
    },
  ),
  dashboardRoute(
    { method: 'PATCH', path: KEY, access: 'developer', body: keyBody, answer: listedKey },
    async (call, parts) => {
      const key = await findOpenKey(parts, call);
      const wanted = accepted(keepingOwner(call, key, keyChangeOf(call.body)));
      const changed = await parts.accounts.changeKey(key.id, wanted, call.visitor.email);
      return showKey(parts, accepted(changed));
    },
  ),
  dashboardRoute(
    { method: 'POST', path: `${KEY}/rotate`, access: 'developer', body: rotationBody, answer: shownKey },
    async (call, parts) => {
      const key = await findOpenKey(parts, call);
      const refusal = refuseOthersSecret(call, key) ?? (await refuseBudgetFreeSecret(parts, call, key));
      if (refusal) return refusal;
      const overlapMs = msOf(call.body.overlap_s ?? 0);
      return showSecret(
        parts,
        accepted(await parts.accounts.rotateKey(key.id, overlapMs, call.visitor.email)),
      );
    },
  ),
  dashboardRoute(
    { method: 'DELETE', path: KEY, access: 'developer', answer: listedKey },
    async (call, parts) => {
      const { id } = await findKey(parts, call);
      return showKey(parts, accepted(await parts.accounts.revokeKey(id, call.visitor.email)));
    },
  ),
];

const showKey = async (parts: DashboardParts, key: ApiKey): Promise<ListedKey> =>
  (await showKeys(parts, key.accountId, [key]))[0]!;

const showSecret = async (parts: DashboardParts, { secret, apiKey }: KeyWithSecret): Promise<ShownKey> => ({
  secret,
  key: await showKey(parts, apiKey),
});

/** The reports and lists have only ids, since an organization can have thousands of keys. */
async function nameKeys({ accounts }: DashboardParts, accountId: string): Promise<KeyNames | Refusal> {
  const keys = await accounts.listKeys(accountId);
  return keys instanceof Refusal ? keys : { data: keys.map(({ id, name, hint }) => ({ id, name, hint })) };
}

/** Finds the key that the path names among those of the organization. */
async function findKey({ accounts }: DashboardParts, { accountId, params }: Call): Promise<ApiKey> {
  const keys = accepted(await accounts.listKeys(accountId));
  return accepted(keys.find(({ id }) => id === params.key) ?? noSuchKey());
}

async function findOpenKey(parts: DashboardParts, call: Call): Promise<ApiKey> {
  const key = await findKey(parts, call);
  return accepted(hasEnded(key, parts.clock.now()) ? ended(key) : key);
}

const noSuchKey = (): Refusal =>
  new Refusal('not_found', { message: 'The organization has no API key with this id.' });

const ended = ({ revokedAt }: ApiKey): Refusal =>
  new Refusal('conflict', {
    message: `This API key ${revokedAt === null ? 'has expired' : 'was revoked'}. Create another one.`,
  });

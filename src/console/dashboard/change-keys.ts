import { Refusal } from '../../base/errors/refusal.ts';
import { msOf } from '../../base/lib/units.ts';
import type { KeyWithSecret } from '../../money/accounts/accounts.ts';
import type { ApiKey } from '../../money/accounts/api-key.ts';
import { type KeyBody, keyChangeOf } from '../admin/key-body.ts';
import type { rotationBody } from '../admin/secret-fields.ts';
import { accepted } from '../routes/accepted.ts';
import type { WithBody } from '../routes/typed-route.ts';
import type { DashboardParts } from './dashboard-parts.ts';
import type { OrganizationCall } from './dashboard-route.ts';
import { findKey, type KeyCall } from './find-key.ts';
import { keepingOwner, ownedBy, refuseBudgetFreeSecret, refuseOthersSecret } from './key-owners.ts';
import type { ListedKey, ShownKey } from './key-schema.ts';
import { hasEnded } from './key-state.ts';
import { keyView } from './show-keys.ts';

/** Creates a key of the organization, and shows its secret. */
export async function createKey(
  call: OrganizationCall<{ body: KeyBody }>,
  parts: DashboardParts,
): Promise<ShownKey> {
  const wanted = accepted(ownedBy(call, keyChangeOf(call.body)));
  return secretView(parts, await parts.accounts.createKey(call.accountId, wanted, call.visitor.email));
}

/** Changes a key that has not ended. */
export async function changeKey(call: KeyCall<{ body: KeyBody }>, parts: DashboardParts): Promise<ListedKey> {
  const key = await findOpenKey(call, parts);
  const wanted = accepted(keepingOwner(call, key, keyChangeOf(call.body)));
  return keyView(parts, accepted(await parts.accounts.changeKey(key.id, wanted, call.visitor.email)));
}

/** Gives a key that has not ended a new secret, and shows it. */
export async function rotateKey(
  call: KeyCall<WithBody<typeof rotationBody>>,
  parts: DashboardParts,
): Promise<ShownKey> {
  const key = await findOpenKey(call, parts);
  accepted(refuseOthersSecret(call, key));
  accepted(await refuseBudgetFreeSecret(parts, call, key));
  const overlapMs = msOf(call.body.overlap_s ?? 0);
  return secretView(parts, await parts.accounts.rotateKey(key.id, overlapMs, call.visitor.email));
}

/** Revokes a key. */
export async function revokeKey(call: KeyCall, parts: DashboardParts): Promise<ListedKey> {
  const { id } = await findKey(call, parts);
  return keyView(parts, accepted(await parts.accounts.revokeKey(id, call.visitor.email)));
}

async function findOpenKey(call: KeyCall, parts: DashboardParts): Promise<ApiKey> {
  const key = await findKey(call, parts);
  if (hasEnded(key, parts.clock.now())) throw ended(key);
  return key;
}

/** Shows a key with its new secret. */
async function secretView(parts: DashboardParts, made: KeyWithSecret | Refusal): Promise<ShownKey> {
  const { secret, apiKey } = accepted(made);
  return { secret, key: await keyView(parts, apiKey) };
}

const ended = ({ revokedAt }: ApiKey): Refusal =>
  new Refusal('conflict', {
    message: `This API key ${revokedAt === null ? 'has expired' : 'was revoked'}. Create another one.`,
  });

import { matching } from '../../customers/people/people-tests.ts';
import type { MemberRole } from '../../customers/people/visitor.ts';
import type { Principal } from '../../money/auth/principal.ts';
import type { ManagedSettings } from '../../settings/config/read-managed-settings.ts';
import type { ClientParts } from './client-parts.ts';

/** Finds the first row of `claude_code.managed_settings` that fits the key and its member. */
export async function findManagedSettings(
  rows: readonly ManagedSettings[],
  principal: Principal,
  store: ClientParts['store'],
): Promise<ManagedSettings | undefined> {
  const ofAccount = rows.filter((row) => isForAccount(row, principal));
  const role = ofAccount.some(({ roles }) => roles !== null) ? await roleOf(principal, store) : undefined;
  return ofAccount.find(({ roles }) => roles === null || (role !== undefined && roles.includes(role)));
}

const isForAccount = ({ accounts }: ManagedSettings, { account }: Principal): boolean =>
  accounts === null || accounts.includes(account.id) || accounts.includes(account.name);

/** Finds the role of the member to whom the key belongs. */
async function roleOf(
  { account, apiKey }: Principal,
  store: ClientParts['store'],
): Promise<MemberRole | undefined> {
  if (apiKey.personId === null) return undefined;
  const where = matching({ account_id: account.id, person_id: apiKey.personId });
  return (await store.findPeople('membership', { where }))[0]?.role;
}

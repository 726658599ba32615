import { Refusal } from '../../base/errors/refusal.ts';
import { hasMemberRole } from '../../customers/people/visitor.ts';
import type { KeyChange } from '../../money/accounts/accounts.ts';
import type { ApiKey } from '../../money/accounts/api-key.ts';
import type { DashboardParts } from './dashboard-parts.ts';
import type { OrganizationCall } from './dashboard-route.ts';

type Caller = Pick<OrganizationCall, 'accountId' | 'visitor'>;

/**
 * Returns the wanted key with the caller as its owner. Only owners create keys for others or for nobody,
 * since the caller's budget would not limit such a key.
 */
export function ownedBy({ accountId, visitor }: Caller, wanted: KeyChange): KeyChange | Refusal {
  const { personId = visitor.userId } = wanted;
  return personId === visitor.userId || hasMemberRole(visitor, accountId, 'owner')
    ? { ...wanted, personId }
    : needsOwner('Only owners create keys for other members or for nobody.');
}

/**
 * Returns the change of a key, in which only an owner gives it to another member. A form can send the member
 * that the key has.
 */
export function keepingOwner(
  { accountId, visitor }: Caller,
  key: ApiKey,
  { personId, ...change }: KeyChange,
): KeyChange | Refusal {
  if (personId === undefined) return change;
  if (hasMemberRole(visitor, accountId, 'owner')) return { ...change, personId };
  return personId === key.personId ? change : needsOwner('Only owners change the member of a key.');
}

/** Refuses the secret of another member's key to a developer. */
export function refuseOthersSecret(
  { accountId, visitor }: Caller,
  { personId }: ApiKey,
): Refusal | undefined {
  if (personId === null || personId === visitor.userId) return undefined;
  if (hasMemberRole(visitor, accountId, 'owner')) return undefined;
  return new Refusal('permission_denied', {
    message: 'The key belongs to another member. Only that member and owners rotate it.',
  });
}

/**
 * Refuses the secret of a key that belongs to nobody to a developer, while a budget limits members. Such a
 * key would be a way out of the budget.
 */
export async function refuseBudgetFreeSecret(
  { budgets }: DashboardParts,
  { accountId, visitor }: Caller,
  { personId }: ApiKey,
): Promise<Refusal | undefined> {
  if (personId !== null || hasMemberRole(visitor, accountId, 'owner')) return undefined;
  const { items } = await budgets.list({ accountId, scope: 'member', limit: 1 });
  if (items.length === 0) return undefined;
  return new Refusal('permission_denied', {
    message:
      'The key belongs to nobody, and the organization has a budget of members. Only owners rotate this key.',
  });
}

const needsOwner = (message: string): Refusal =>
  new Refusal('permission_denied', { message, param: 'person_id' });

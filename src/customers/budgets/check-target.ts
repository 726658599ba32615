import { Refusal } from '../../base/errors/refusal.ts';
import type { Accounts } from '../../money/accounts/accounts.ts';
import { TAG_LENGTH, TAG_PATTERN } from '../../money/accounts/key-tags.ts';
import type { Budget } from '../../money/budgets/budget.ts';
import type { Memberships } from '../people/memberships.ts';

export type TargetParts = { accounts: Accounts; memberships: Memberships };
type Check = (parts: TargetParts, accountId: string, target: string) => Promise<string | undefined>;

const TAG = new RegExp(TAG_PATTERN);

/** Returns the reason why a target does not fit its scope. */
const checks: Readonly<Record<Budget['scope'], Check>> = {
  organization: async () => 'A budget of an organization has no target',
  async key({ accounts }, accountId, target) {
    const keys = await accounts.listKeys(accountId);
    const isKnown = !(keys instanceof Refusal) && keys.some(({ id }) => id === target);
    return isKnown ? undefined : 'The account has no API key with this id';
  },
  async member({ memberships }, accountId, target) {
    const isKnown = (await memberships.list(accountId)).some(({ id }) => id === target);
    return isKnown ? undefined : 'The account has no member with this id';
  },
  end_user: async () => undefined,
  tag: async (_parts, _accountId, target) =>
    target.length <= TAG_LENGTH && TAG.test(target)
      ? undefined
      : `A tag has at most ${TAG_LENGTH} characters and no comma`,
};

/** Refuses a target that no request of the account can have. */
export async function checkTarget(
  parts: TargetParts,
  accountId: string,
  { scope, target }: Pick<Budget, 'scope' | 'target'>,
): Promise<Refusal | undefined> {
  if (target === null) return undefined;
  const message = await checks[scope](parts, accountId, target);
  return message === undefined ? undefined : new Refusal('invalid_request', { message, param: 'target' });
}

import type { Visitor } from '../../customers/people/visitor.ts';

/** A listener to events. Roles decide which events it gets. */
export type Audience = Pick<Visitor, 'operator' | 'memberships'> & {
  /** The account that the listener has chosen. It gets only events of this account. */
  account: string | undefined;
};

/** Reports whether the audience gets events of an account. `null` stands for the installation. */
export function canSee({ operator, memberships, account }: Audience, accountId: string | null): boolean {
  if (account !== undefined && accountId !== account) return false;
  return operator !== null || memberships.some((membership) => membership.accountId === accountId);
}

import type { Visitor } from '../../customers/people/visitor.ts';

/** Who listens to events, and to which. */
export type Audience = Pick<Visitor, 'operator' | 'memberships'> & {
  /** Only events of this account. */
  account: string | undefined;
};

/** Reports whether the audience sees events of an account. `null` stands for the installation. */
export function sees({ operator, memberships, account }: Audience, of: string | null): boolean {
  if (account !== undefined && of !== account) return false;
  return operator !== null || memberships.some(({ accountId }) => accountId === of);
}

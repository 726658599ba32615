import type { Visitor } from '../../customers/people/visitor.ts';

/** Returns the audit entry of what a member has done to a thing of an organization. */
export const changeBy = ({ email }: Visitor, accountId: string) => ({
  before: null,
  after: { accountId },
  actor: email,
});

/** Returns the lock of the members of an organization. With it, nobody joins or leaves during a change. */
export const membersLock = (accountId: string): string => `members ${accountId}`;

type OfAccount = { accountId: string };

/** Compares by the id of the account, for a sort. */
export const byAccount = (one: OfAccount, other: OfAccount): number =>
  one.accountId < other.accountId ? -1 : Number(one.accountId > other.accountId);

import type { AccountStatus } from './account.ts';

/** The allowed transitions. A closed account must become active before it can be suspended. */
const transitions: Record<AccountStatus, readonly AccountStatus[]> = {
  active: ['suspended', 'closed'],
  suspended: ['active', 'closed'],
  closed: ['active'],
};

/** Reports whether an account in one state can get another one, or keep its own. */
export const canBecome = (from: AccountStatus, to: AccountStatus): boolean =>
  from === to || transitions[from].includes(to);

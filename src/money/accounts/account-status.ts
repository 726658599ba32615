import { Refusal } from '../../base/errors/refusal.ts';
import type { AccountStatus } from './account.ts';

/** The allowed transitions. A closed account must become active before it can be suspended. */
const transitions: Record<AccountStatus, readonly AccountStatus[]> = {
  active: ['suspended', 'closed'],
  suspended: ['active', 'closed'],
  closed: ['active'],
};

/** Reports whether an account in one state can get another one, or keep its own. */
export const mayBecome = (from: AccountStatus, to: AccountStatus): boolean =>
  from === to || transitions[from].includes(to);

/** Refuses operations that need an account that is not closed. */
export const refuseClosed = (param: string | null = null): Refusal =>
  new Refusal('account_closed', { message: 'This account is closed; make it active first.', param });

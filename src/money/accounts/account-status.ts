import { Refusal } from '../../base/errors/refusal.ts';
import type { AccountStatus } from './account.ts';

/** Where an account may go from where it is. What is closed must be reopened before anything else. */
const transitions: Record<AccountStatus, readonly AccountStatus[]> = {
  active: ['suspended', 'closed'],
  suspended: ['active', 'closed'],
  closed: ['active'],
};

export const mayBecome = (from: AccountStatus, to: AccountStatus): boolean =>
  from === to || transitions[from].includes(to);

/** For what needs an account that is not closed. */
export const refuseClosed = (param: string | null = null): Refusal =>
  new Refusal('account_closed', { message: 'This account is closed; make it active first.', param });

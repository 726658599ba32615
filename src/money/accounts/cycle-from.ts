import type { Account } from './account.ts';

/** Returns the start of a cycle as an account has it. Later cycles start on the same day of the month. */
export const cycleFrom = (startedAt: number): Pick<Account, 'cycleStartedAt' | 'cycleDay'> => ({
  cycleStartedAt: startedAt,
  cycleDay: new Date(startedAt).getUTCDate(),
});

import { Refusal } from '../../base/errors/refusal.ts';
import type { Budget } from '../../money/budgets/budget.ts';

/** Refuses the change of an operator's budget by an owner. */
export const refuseOwner = (budget: Budget, changer: Budget['owner']): Refusal | undefined =>
  budget.owner === 'operator' && changer === 'organization'
    ? new Refusal('permission_denied', {
        message: 'An operator has set this budget. Only operators change it.',
      })
    : undefined;

/** Refuses a budget that does not exist. */
export const noBudget = (): Refusal => new Refusal('not_found', { message: 'There is no such budget.' });

/** Refuses the change of a key's monthly cap, which lists show as a budget. */
export const budgetOfKey = (keyId: string): Refusal =>
  new Refusal('conflict', {
    message: `This is the monthly cap of the API key ${keyId}. Change \`monthly_cap_usd\` of the key.`,
  });

export const tooManyBudgets = (maxBudgets: number): Refusal =>
  new Refusal('limit_reached', { message: `An account can have at most ${maxBudgets} budgets.` });

/** Refuses a change of an earlier revision. */
export const changedMeanwhile = ({ revision }: Budget): Refusal =>
  new Refusal('conflict', {
    message: `The budget was changed meanwhile, and its revision is ${revision} now. Read it again.`,
    param: 'revision',
  });

import type { Budget } from '../../money/budgets/budget.ts';

/** A budget to make. */
export type WantedBudget = Pick<Budget, 'name' | 'scope' | 'target' | 'window' | 'kind' | 'warnShare'> & {
  limitUsd: number;
};

/** A change of a budget. `revision`: the one that the change is based on. */
export type WantedChange = Partial<WantedBudget> & { revision?: number | undefined };

export type WantedRaise = { addUsd: number; endsAt: number; reason: string | null };

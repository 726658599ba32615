import { expect, test } from 'bun:test';
import type { BudgetState } from '../../money/budgets/budget-state.ts';
import { sampleBudget } from '../../store/testing/conformance/sample-budget.ts';
import { sampleOrder } from '../../store/testing/conformance/sample-ledger.ts';
import { refuseBudget } from './refuse-budget.ts';

test.each([
  [100, '0.0000002 USD'],
  [617_283_945_000, '1234.57 USD'],
])('the refusal by a budget names an amount of %d micro-credits in digits', (amount, text) => {
  const budget = sampleBudget({ scope: 'organization', target: null, limitMicrocredits: amount });
  const state: BudgetState = { budget, target: '', usedMicrocredits: amount, heldMicrocredits: 0, bin: 0 };
  const { message } = refuseBudget([state], sampleOrder());
  expect(message).toContain(`has spent ${text} of its ${text}`);
});

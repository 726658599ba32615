import { expect, test } from 'bun:test';
import type { BudgetState } from '../../money/budgets/budget-state.ts';
import type { HoldOrder } from '../../money/ledger/hold.ts';
import { refuseBudget } from './refuse-budget.ts';

test.each([
  [100, '0.0000002 USD'],
  [617_283_945_000, '1234.57 USD'],
])('the refusal by a budget names an amount of %d micro-credits in digits', (amount, text) => {
  const rule = { scope: 'organization', target: null, window: 'day', kind: 'calendar' };
  const budget = { ...rule, id: 'bud_1', name: null, limitMicrocredits: amount, raise: null };
  const state = { budget, target: '', usedMicrocredits: amount, heldMicrocredits: 0, bin: 0 };
  const { message } = refuseBudget([state as unknown as BudgetState], { at: 0, worst: null } as HoldOrder);
  expect(message).toContain(`has spent ${text} of its ${text}`);
});

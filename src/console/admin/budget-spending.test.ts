import { expect, test } from 'bun:test';
import { partial } from '../../base/lib/testing/partial.ts';
import type { BudgetService } from '../../customers/budgets/budget-service.ts';
import type { Budget } from '../../money/budgets/budget.ts';
import { pageOfSpending } from '../../store/page-of-spending.ts';
import { listSpending } from './budget-spending.ts';

test('the page after an end user named `organization` is the next one', async () => {
  const spent = ['ada', 'organization', 'bob'].map((target, index) => ({
    target,
    usedMicrocredits: 10 - index,
    requests: 1,
    bin: 0,
  }));
  const budgets = partial<BudgetService>({
    listSpending: async (_: Budget, page: { limit: number; after?: string }) => ({
      ...pageOfSpending(spent, new Map(), { ...page, bin: 0 }),
      at: 0,
    }),
  });
  const parts = { budgets, accounts: { listKeys: async () => [] }, memberships: { list: async () => [] } };
  const budget = { scope: 'end_user', window: 'day', kind: 'calendar' } as Budget;
  const page = await listSpending(parts, budget, { limit: 1, after: 'organization' });
  expect(page.data.map(({ target }) => target)).toEqual(['bob']);
});

import { expect, test } from 'bun:test';
import { Refusal } from '../../base/errors/refusal.ts';
import { partial } from '../../base/lib/testing/partial.ts';
import type { BudgetService } from '../../customers/budgets/budget-service.ts';
import { listBudgets } from './budget-calls.ts';

test('a page after a deleted budget is refused instead of beginning with the caps', async () => {
  const cap = { cap: { id: 'key_1', capUsd: 1, createdAt: 0 }, spentMicrocredits: 0, at: 0 };
  const budgets = partial<BudgetService>({
    find: async () => new Refusal('not_found'),
    list: async () => partial({ items: [cap], hasMore: false }),
    findCap: async () => undefined,
  });
  const page = listBudgets(budgets, {}, { after: 'bud_deleted' });
  await expect(page).rejects.toMatchObject({ details: { param: 'after' } });
});

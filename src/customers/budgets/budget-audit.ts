import type { AuditEntry } from '../../money/accounts/audit.ts';
import type { AuditAction } from '../../money/accounts/audit-action.ts';
import type { Budget } from '../../money/budgets/budget.ts';

/** The author of a change. An owner cannot change the budget of an operator. */
export type BudgetActor = { name: string; owner: Budget['owner'] };

/** A change of a budget. A budget that is created has no `before`, and one that is deleted has no `after`. */
type BudgetChange = { action: AuditAction; actor: BudgetActor; before?: Budget; after?: Budget; at: number };

/** Makes the audit entry of a budget's change. */
export const budgetAudit = (
  target: string,
  { action, actor, before, after, at }: BudgetChange,
): AuditEntry => ({
  at,
  actor: actor.name,
  action,
  target,
  before: before ? auditedBudget(before) : null,
  after: after ? auditedBudget(after) : null,
});

/** Removes what is internal to the store. */
const auditedBudget = ({ counter: _, countsFrom: __, revision: ___, ...budget }: Budget) => budget;

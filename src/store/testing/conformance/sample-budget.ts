import type { AuditEntry } from '../../../money/accounts/audit.ts';
import type { Budget } from '../../../money/budgets/budget.ts';
import { firstBin } from '../../../money/budgets/budget-window.ts';
import { sampleTime } from './sample-ledger.ts';

export function sampleBudget(fields: Partial<Budget> = {}): Budget {
  const windowed = { window: 'month', kind: 'calendar', ...fields } as const;
  return {
    id: `bud_${fields.scope ?? 'organization'}`,
    counter: `cnt_${fields.scope ?? 'organization'}`,
    accountId: 'acct_1',
    name: null,
    scope: 'organization',
    target: null,
    limitMicrocredits: 1_000_000,
    warnShare: 0.8,
    raise: null,
    owner: 'operator',
    createdAt: sampleTime,
    countsFrom: firstBin(windowed, sampleTime),
    revision: 1,
    ...windowed,
  };
}

export const budgetAudit: AuditEntry = {
  at: sampleTime,
  actor: 'admin',
  action: 'budget-create',
  target: 'bud_organization',
  before: null,
  after: null,
};

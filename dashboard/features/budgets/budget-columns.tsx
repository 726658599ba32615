import { withQuery } from '../../app/address.ts';
import { Badge, Status } from '../../components/badge.tsx';
import type { Column } from '../../components/column.ts';
import { headerColumn, minor, textColumn } from '../../components/columns.tsx';
import { formatUsd } from '../../components/format.ts';
import { Progress } from '../../components/progress.tsx';
import { Time } from '../../components/time.tsx';
import { type BudgetRow, targetOf, windowOf } from './budget-row.ts';

/** The columns that both lists of budgets have. */
export const budgetColumns: readonly Column<BudgetRow>[] = [
  headerColumn('name', 'Budget', (budget) => (
    <span class="titled">
      {budget.source === 'key' ? (
        <span>{budget.name ?? 'Cap of a key'}</span>
      ) : (
        <a href={withQuery({ budget: budget.id })}>{budget.name ?? 'Unnamed budget'}</a>
      )}
      <span class="soft small">{targetOf(budget)}</span>
    </span>
  )),
  minor(textColumn('window', 'Window', windowOf)),
  textColumn('spent', 'Spent', (budget) => <Spent budget={budget} />),
  textColumn('state', 'State', (budget) => <State budget={budget} />),
  textColumn('resets', 'Resets', ({ resets_at }) =>
    resets_at ? <Time at={resets_at} isRelative /> : <span class="soft">Empty</span>,
  ),
];

/** The spent part of a budget, in numbers and as a bar. */
export const Spent = ({ budget }: { budget: BudgetRow }) => (
  <span class="spent">
    <span>
      {formatUsd(budget.spent_usd)} <span class="soft">of {formatUsd(budget.effective_limit_usd)}</span>
    </span>
    <Progress label="Share of the limit" value={budget.spent_usd} limit={budget.effective_limit_usd} />
  </span>
);

const State = ({ budget: { exhausted, raise, source } }: { budget: BudgetRow }) => (
  <span class="badges">
    <Status tone={exhausted ? 'bad' : 'good'}>{exhausted ? 'Exhausted' : 'Open'}</Status>
    {raise && <Badge tone="accent">Raised</Badge>}
    {source === 'key' && <Badge>Cap of the key</Badge>}
  </span>
);

import { queryValue, setQuery } from '../../app/address.ts';
import { useQuery } from '../../app/use-query.ts';
import { Dialog } from '../../components/dialog.tsx';
import { Facts } from '../../components/facts.tsx';
import { formatUsd } from '../../components/format.ts';
import { formatDateTime } from '../../components/format-time.ts';
import { Loaded } from '../../components/loaded.tsx';
import { BudgetActions } from './budget-actions.tsx';
import { type BudgetRow, targetOf, windowOf } from './budget-row.ts';
import { BudgetSpending } from './budget-spending.tsx';

type BudgetDialogProps = { path: string; mayChange: (budget: BudgetRow) => boolean };

const close = () => setQuery({ budget: null }, { replace: false });

/** The budget that the address names: `?budget=…`. */
export function BudgetDialog({ path, mayChange }: BudgetDialogProps) {
  const id = queryValue('budget');
  return id === '' ? null : <OneBudget key={id} id={id} path={path} mayChange={mayChange} />;
}

function OneBudget({ id, path, mayChange }: BudgetDialogProps & { id: string }) {
  const budgetPath = `${path}/${encodeURIComponent(id)}`;
  const query = useQuery<BudgetRow>(budgetPath);
  return (
    <Dialog title={query.data?.name ?? 'Budget'} onClose={close} isWide>
      <Loaded query={query}>
        {(budget) => (
          <div class="stack">
            <BudgetFacts budget={budget} />
            {mayChange(budget) && (
              <BudgetActions budget={budget} budgetPath={budgetPath} path={path} onDeleted={close} />
            )}
            <BudgetSpending path={budgetPath} />
          </div>
        )}
      </Loaded>
    </Dialog>
  );
}

const BudgetFacts = ({ budget }: { budget: BudgetRow }) => (
  <Facts
    facts={[
      ['Limits', targetOf(budget)],
      ['Window', windowOf(budget)],
      [
        'Spent',
        `${formatUsd(budget.spent_usd)} of ${formatUsd(budget.effective_limit_usd)}, ${formatUsd(budget.held_usd)} held`,
      ],
      ['Left', formatUsd(budget.remaining_usd)],
      ['Counted from', formatDateTime(budget.counted_from)],
      ['Resets', budget.resets_at ? formatDateTime(budget.resets_at) : 'Nothing is counted'],
      budget.raise && ['Raise', raiseWords(budget.raise)],
      ['Set by', budget.owner === 'operator' ? 'An operator' : 'The organization'],
    ]}
  />
);

const raiseWords = ({ add_usd, ends_at, reason, by }: NonNullable<BudgetRow['raise']>): string =>
  `${formatUsd(add_usd)} until ${formatDateTime(ends_at)}, by ${by}${reason ? `: ${reason}` : ''}`;

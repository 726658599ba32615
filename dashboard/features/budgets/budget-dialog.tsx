import { useState } from 'preact/hooks';
import { queryValue, setQuery } from '../../app/address.ts';
import { call } from '../../app/call.ts';
import { useQuery } from '../../app/use-query.ts';
import { Button } from '../../components/button.tsx';
import type { Column } from '../../components/column.ts';
import { headerColumn, numberColumn, textColumn } from '../../components/columns.tsx';
import { ConfirmButton } from '../../components/confirm-button.tsx';
import { Dialog } from '../../components/dialog.tsx';
import { Facts } from '../../components/facts.tsx';
import { formatNumber, formatUsd } from '../../components/format.ts';
import { formatDateTime } from '../../components/format-time.ts';
import { Loaded } from '../../components/loaded.tsx';
import { Table } from '../../components/table.tsx';
import { Time } from '../../components/time.tsx';
import { BudgetForm } from './budget-form.tsx';
import { type BudgetRow, type SpendRow, targetOf, windowOf } from './budget-row.ts';
import { RaiseButton } from './raise-button.tsx';

type BudgetDialogProps = { path: string; mayChange: (budget: BudgetRow) => boolean };

const close = () => setQuery({ budget: null }, { replace: false });

/** The budget that the address names: `?budget=…`. */
export function BudgetDialog({ path, mayChange }: BudgetDialogProps) {
  const id = queryValue('budget');
  return id === '' ? null : <OneBudget key={id} id={id} {...{ path, mayChange }} />;
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
            {mayChange(budget) && <Buttons {...{ budget, budgetPath, path }} />}
            <Spending path={budgetPath} />
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
      ...(budget.raise ? [['Raise', raiseWords(budget.raise)] as const] : []),
      ['Set by', budget.owner === 'operator' ? 'An operator' : 'The organization'],
    ]}
  />
);

const raiseWords = ({ add_usd, ends_at, reason, by }: NonNullable<BudgetRow['raise']>): string =>
  `${formatUsd(add_usd)} until ${formatDateTime(ends_at)}, by ${by}${reason ? `: ${reason}` : ''}`;

function Buttons({ budget, budgetPath, path }: { budget: BudgetRow; budgetPath: string; path: string }) {
  const [isChanging, setChanging] = useState(false);
  return (
    <div class="form-actions">
      <RaiseButton path={budgetPath} refreshes={path} />
      {budget.raise && (
        <ConfirmButton
          label="End raise"
          title="End the raise"
          isDangerous={false}
          refreshes={path}
          onConfirm={() => call('DELETE', `${budgetPath}/raise`)}
        >
          The limit is {formatUsd(budget.limit_usd)} again at once.
        </ConfirmButton>
      )}
      <Button onClick={() => setChanging(true)}>Change</Button>
      <ConfirmButton
        label="Delete"
        title="Delete the budget"
        kind="danger"
        refreshes={path}
        onConfirm={async () => {
          await call('DELETE', budgetPath);
          close();
        }}
      >
        Requests are no longer limited by this budget.
      </ConfirmButton>
      {isChanging && (
        <BudgetForm
          title="Change the budget"
          submitLabel="Save"
          refreshes={path}
          budget={budget}
          save={(body) => call('PATCH', budgetPath, body)}
          onClose={() => setChanging(false)}
        />
      )}
    </div>
  );
}

const spendColumns: readonly Column<SpendRow>[] = [
  headerColumn(
    'target',
    'Counts for',
    ({ target, target_name }) => target_name ?? target ?? 'The organization',
  ),
  numberColumn('spent', 'Spent', ({ spent_usd }) => formatUsd(spent_usd)),
  numberColumn('held', 'Held', ({ held_usd }) => formatUsd(held_usd)),
  numberColumn('requests', 'Requests', ({ requests }) => formatNumber(requests)),
  textColumn('resets', 'Resets', ({ resets_at }) => (resets_at ? <Time at={resets_at} isRelative /> : '–')),
];

/** The amount that counts against the budget now. */
function Spending({ path }: { path: string }) {
  const query = useQuery<{ data: SpendRow[] }>(`${path}/spend`);
  return (
    <section>
      <h3>What counts against it</h3>
      <Loaded query={query}>
        {({ data }) => (
          <Table
            caption="What counts against the budget"
            columns={spendColumns}
            rows={data}
            sortParam="spend-sort"
            empty={<p class="soft">Nothing was spent in this window.</p>}
          />
        )}
      </Loaded>
    </section>
  );
}

import type { BillingPlanRow, BillingView } from '../../../src/console/dashboard/billing-schema.ts';
import { hasRole } from '../../app/session.ts';
import { Badge } from '../../components/badge.tsx';
import type { Column } from '../../components/column.ts';
import { buttonColumn, minor, numberColumn, textColumn } from '../../components/columns.tsx';
import { formatNumber, formatUsd } from '../../components/format.ts';
import { formatDate } from '../../components/format-time.ts';
import { Notice } from '../../components/notice.tsx';
import { Section } from '../../components/section.tsx';
import { Table } from '../../components/table.tsx';
import { PlanChangeButton } from './plan-change-button.tsx';

type PlanTableProps = { view: BillingView; path: string };

/** The plans, and the change to another plan. */
export function PlanTable({ view, path }: PlanTableProps) {
  const pending = view.plans.find(({ id }) => id === view.pending_plan);
  const current = view.plans.find(({ is_current }) => is_current);
  const keep = current && hasRole('owner') && (
    <PlanChangeButton view={view} path={path} plan={current} label={`Keep ${current.name}`} />
  );
  return (
    <Section
      title="Plans"
      lead="Upgrades apply at once for the difference in price, or at the renewal without a charge now. Downgrades apply at the renewal."
    >
      {pending && (
        <Notice title={`${pending.name} follows on ${formatDate(view.renews_at)}`} actions={keep}>
          The plan {view.plan_name} stays until then.
        </Notice>
      )}
      <Table
        caption="Plans with their prices and limits"
        columns={columnsFor(view, path)}
        rows={view.plans}
      />
    </Section>
  );
}

const columnsFor = (view: BillingView, path: string): readonly Column<BillingPlanRow>[] => [
  textColumn('name', 'Plan', ({ name, is_current }) => (
    <span>
      <strong>{name}</strong> {is_current && <Badge tone="accent">Current</Badge>}
    </span>
  )),
  numberColumn('price', 'Per month', (plan) => priceOf(plan)),
  numberColumn('credits', 'Credits', (plan) => creditsOf(plan)),
  minor(numberColumn('requests', 'Requests per minute', (plan) => formatNumber(plan.requests_per_min))),
  minor(numberColumn('concurrent', 'Concurrent requests', (plan) => formatNumber(plan.concurrent))),
  buttonColumn('change', 'Change', (plan) => <PlanChange view={view} path={path} plan={plan} />),
];

const priceOf = ({ id, price_usd_per_month: price }: BillingPlanRow): string => {
  if (id === 'payg') return 'Per use';
  return price === null ? 'By agreement' : formatUsd(price);
};

const creditsOf = ({ id, credits }: BillingPlanRow): string => {
  if (id === 'payg') return 'Purchased only';
  if (credits === null) return 'Unlimited';
  return id === 'free' ? `${formatNumber(credits)}, once` : formatNumber(credits);
};

type PlanChangeProps = PlanTableProps & { plan: BillingPlanRow };

/** The change to a plan, or the reason why there is no button for it. */
function PlanChange({ view, path, plan }: PlanChangeProps) {
  if (!hasRole('owner') || plan.is_current) return null;
  if (plan.id === view.pending_plan) return <Badge>Follows</Badge>;
  if (plan.change === null) return view.status === 'active' ? <span class="soft">By an operator</span> : null;
  const verb = plan.change === 'renewal' ? 'Downgrade to' : 'Choose';
  return <PlanChangeButton view={view} path={path} plan={plan} label={`${verb} ${plan.name}`} />;
}

import { useState } from 'preact/hooks';
import type {
  BillingPlanRow,
  BillingView,
  PlanChangedView,
} from '../../../src/console/dashboard/billing-schema.ts';
import { refreshAnswers } from '../../app/answers.ts';
import { call } from '../../app/call.ts';
import { hasRole } from '../../app/session.ts';
import { Badge } from '../../components/badge.tsx';
import { buttonColumn, minor, numberColumn, textColumn } from '../../components/columns.tsx';
import { ConfirmDialog } from '../../components/confirm-dialog.tsx';
import { DialogButton } from '../../components/dialog-button.tsx';
import { formatNumber, formatUsd } from '../../components/format.ts';
import { formatDate } from '../../components/format-time.ts';
import { Notice } from '../../components/notice.tsx';
import { Section } from '../../components/section.tsx';
import { Select } from '../../components/select.tsx';
import { type Column, Table } from '../../components/table.tsx';
import { toast } from '../../components/toasts.tsx';

type TableProps = { view: BillingView; path: string };

/** The plans, and the change to another one. */
export function PlanTable({ view, path }: TableProps) {
  const pending = view.plans.find(({ id }) => id === view.pending_plan);
  const current = view.plans.find(({ is_current }) => is_current);
  const keep = current && hasRole('owner') && (
    <ChangeButton {...{ view, path, plan: current, label: `Keep ${current.name}` }} />
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
  buttonColumn('change', 'Change', (plan) => <PlanChange {...{ view, path, plan }} />),
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

type PlanProps = TableProps & { plan: BillingPlanRow };

function PlanChange({ view, path, plan }: PlanProps) {
  if (!hasRole('owner') || plan.is_current) return null;
  if (plan.id === view.pending_plan) return <Badge>Follows</Badge>;
  if (plan.change === null) return view.status === 'active' ? <span class="soft">By an operator</span> : null;
  const verb = plan.change === 'renewal' ? 'Downgrade to' : 'Choose';
  return <ChangeButton {...{ view, path, plan, label: `${verb} ${plan.name}` }} />;
}

const ChangeButton = ({ label, ...props }: PlanProps & { label: string }) => (
  <DialogButton label={label} kind={props.plan.change === 'checkout' ? 'primary' : 'secondary'}>
    {(close) => <ChangeDialog {...props} onClose={close} />}
  </DialogButton>
);

type ChangeProps = PlanProps & { onClose: () => void };

function ChangeDialog({ view, path, plan, onClose }: ChangeProps) {
  const upgrade = view.upgrades.find((offer) => offer.plan === plan.id);
  const [when, setWhen] = useState<When>('now');
  const isLater = plan.change === 'renewal' || when === 'renewal';
  const change = async () => {
    const { url } = await call<PlanChangedView>('POST', `${path}/plan`, { plan: plan.id, when });
    if (url !== null) {
      location.assign(url);
      return;
    }
    refreshAnswers(path);
    toast(isLater ? `${plan.name} follows at the renewal.` : `The plan is ${plan.name}.`);
  };
  return (
    <ConfirmDialog
      title={plan.is_current ? `Keep ${plan.name}?` : `Change to ${plan.name}?`}
      confirmLabel={plan.change === 'checkout' ? 'Continue to payment' : `Confirm ${plan.name}`}
      isDangerous={plan.change === 'renewal'}
      onClose={onClose}
      onConfirm={change}
    >
      {upgrade?.renews_at ? (
        <UpgradeChoice {...{ plan, upgrade, when, setWhen }} />
      ) : (
        <p>{consequenceOf(view, plan, upgrade)}</p>
      )}
    </ConfirmDialog>
  );
}

type When = 'now' | 'renewal';
type Upgrade = BillingView['upgrades'][number];
type ChoiceProps = { plan: BillingPlanRow; upgrade: Upgrade; when: When; setWhen: (when: When) => void };

/** The choice of an upgrade: the whole difference is charged now, or nothing until the renewal. */
const UpgradeChoice = ({ plan, upgrade, when, setWhen }: ChoiceProps) => (
  <>
    <Select
      label="When"
      value={when}
      onChange={setWhen}
      options={[
        { value: 'now', label: `Now, for ${formatUsd(upgrade.charge_now_usd)}` },
        { value: 'renewal', label: `On ${formatDate(upgrade.renews_at)}, without a charge now` },
      ]}
    />
    <p>
      {when === 'now'
        ? `${formatUsd(upgrade.charge_now_usd)} are charged now: the whole difference in price. ${plan.name} gives the credits of the whole cycle at once.`
        : `The current plan stays until ${formatDate(upgrade.renews_at)}. ${plan.name} follows at its price.`}
    </p>
  </>
);

function consequenceOf(view: BillingView, plan: BillingPlanRow, upgrade: Upgrade | undefined): string {
  if (plan.is_current) return 'The change that was planned for the renewal is canceled.';
  if (plan.change === 'renewal')
    return `${view.plan_name} stays until ${formatDate(view.renews_at)}. ${plan.name} follows with its lower limits and credits.`;
  if (plan.change === 'checkout')
    return `You pay ${formatUsd(upgrade?.charge_now_usd ?? 0)} at Stripe, and ${plan.name} applies as soon as the payment has arrived.`;
  return `${plan.name} applies at once.`;
}

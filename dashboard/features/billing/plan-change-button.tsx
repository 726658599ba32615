import { useState } from 'preact/hooks';
import type { PlanChangedView } from '../../../src/console/dashboard/billing-order-schema.ts';
import type { BillingPlanRow, BillingView } from '../../../src/console/dashboard/billing-schema.ts';
import { refreshAnswers } from '../../app/answers.ts';
import { call } from '../../app/call.ts';
import { ConfirmDialog } from '../../components/confirm-dialog.tsx';
import { DialogButton } from '../../components/dialog-button.tsx';
import { formatUsd } from '../../components/format.ts';
import { formatDate } from '../../components/format-time.ts';
import { Select } from '../../components/select.tsx';
import { toast } from '../../components/toasts.tsx';

type PlanChangeProps = { view: BillingView; path: string; plan: BillingPlanRow };

/** A button that changes the plan, or keeps the current one. A dialog says what follows. */
export const PlanChangeButton = ({ label, ...props }: PlanChangeProps & { label: string }) => (
  <DialogButton label={label} kind={props.plan.change === 'checkout' ? 'primary' : 'secondary'}>
    {(close) => <ChangeDialog {...props} onClose={close} />}
  </DialogButton>
);

function ChangeDialog({ view, path, plan, onClose }: PlanChangeProps & { onClose: () => void }) {
  const upgrade = view.upgrades.find((offer) => offer.plan === plan.id);
  const [when, setWhen] = useState<ChangeTime>('now');
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
        <UpgradeChoice plan={plan} upgrade={upgrade} when={when} setWhen={setWhen} />
      ) : (
        <p>{consequenceOf(view, plan, upgrade)}</p>
      )}
    </ConfirmDialog>
  );
}

type ChangeTime = 'now' | 'renewal';
type Upgrade = BillingView['upgrades'][number];
type ChoiceProps = {
  plan: BillingPlanRow;
  upgrade: Upgrade;
  when: ChangeTime;
  setWhen: (when: ChangeTime) => void;
};

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

/** Says what follows from a change without a choice. */
function consequenceOf(view: BillingView, plan: BillingPlanRow, upgrade: Upgrade | undefined): string {
  if (plan.is_current) return 'The change that was planned for the renewal is canceled.';
  if (plan.change === 'renewal')
    return `${view.plan_name} stays until ${formatDate(view.renews_at)}. ${plan.name} follows with its lower limits and credits.`;
  if (plan.change === 'checkout')
    return `You pay ${formatUsd(upgrade?.charge_now_usd ?? 0)} at Stripe, and ${plan.name} applies as soon as the payment has arrived.`;
  return `${plan.name} applies at once.`;
}

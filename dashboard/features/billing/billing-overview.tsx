import type { BillingView } from '../../../src/console/dashboard/billing-schema.ts';
import { withQuery } from '../../app/address.ts';
import { operatorRole, organization } from '../../app/session.ts';
import { formatCredits, formatUsd } from '../../components/format.ts';
import { formatDate } from '../../components/format-time.ts';
import { creditsToUsd } from '../../components/microcredits.ts';
import { Notice } from '../../components/notice.tsx';
import { Stat, Stats } from '../../components/stat.tsx';
import { PlanTable } from './plan-table.tsx';
import { PurchaseForm } from './purchase-form.tsx';

type OverviewProps = { view: BillingView; path: string };

/** The plan, both balances, the purchase and the plans to choose from. */
export const BillingOverview = ({ view, path }: OverviewProps) => (
  <>
    <Warnings view={view} />
    <Stats>
      <Stat label="Plan" value={view.plan_name} note={priceOf(view)} />
      <Stat
        label="Monthly credits left"
        value={view.plan === 'payg' ? 'None' : leftOf(view)}
        note={<a href={withQuery({ tab: 'entries' })}>{usedOf(view)}</a>}
      />
      <Stat
        label="Purchased credits"
        value={formatCredits(view.purchased_credits)}
        note={<a href={withQuery({ tab: 'entries' })}>{worthOf(view)}</a>}
      />
      <Stat
        label="Renews"
        value={view.renews_at ? formatDate(view.renews_at) : 'Never'}
        note={view.renews_at ? `Cycle since ${formatDate(view.cycle_started_at)}` : 'This plan has no cycle'}
      />
    </Stats>
    <PurchaseForm view={view} path={path} />
    <PlanTable view={view} path={path} />
  </>
);

function Warnings({ view }: { view: BillingView }) {
  const { status, subscription, payments, debt_credits: debt } = view;
  return (
    <>
      {status === 'suspended' && (
        <Notice kind="error" title="The account is suspended">
          Requests are refused. Ask the operator of this server.
        </Notice>
      )}
      {subscription?.grace_until && (
        <Notice kind="warning" title="The renewal could not be paid">
          The plan continues until {formatDate(subscription.grace_until)}. Update the card to keep it.
          {view.monthly.resets_at &&
            ` Until it is paid, the credits of the cycle come day by day: the next on ${formatDate(view.monthly.resets_at)}.`}
        </Notice>
      )}
      {debt > 0 && (
        <Notice kind="error" title={`The account owes ${formatCredits(debt)} credits`}>
          Payments were refunded or disputed after their credit was spent. Purchases pay the debt first, at{' '}
          {formatUsd(creditsToUsd(debt))}. Until then, requests on purchased credit are refused.
        </Notice>
      )}
      {payments === 'operator' && (
        <Notice title="Payments are not set up on this server">
          {operatorRole.value ? (
            <>
              As an operator you give credit and plans on the{' '}
              <a href={`/operator/accounts/${organization.value?.id}`}>page of the account</a>.
            </>
          ) : (
            'Ask the operator of this server for credit or for another plan.'
          )}
        </Notice>
      )}
    </>
  );
}

const worthOf = ({ purchased_credits: credits, debt_credits: debt }: BillingView): string =>
  debt > 0 ? `Debt of ${formatCredits(debt)}` : `worth ${formatUsd(creditsToUsd(credits))}`;

const priceOf = ({ price_usd_per_month: price, plan }: BillingView): string => {
  if (plan === 'payg') return 'Pay per use';
  return price === null ? 'By agreement' : `${formatUsd(price)} a month`;
};

const leftOf = ({ monthly }: BillingView): string =>
  monthly.remaining === null ? 'Unlimited' : formatCredits(monthly.remaining);

const usedOf = ({ monthly }: BillingView): string =>
  monthly.limit === null
    ? `${formatCredits(monthly.used)} used`
    : `${formatCredits(monthly.used)} of ${formatCredits(monthly.limit)} used`;

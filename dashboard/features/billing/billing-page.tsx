import { useEffect } from 'preact/hooks';
import type { ConfirmedView } from '../../../src/console/dashboard/billing-order-schema.ts';
import type { BillingView } from '../../../src/console/dashboard/billing-schema.ts';
import { queryValue, setQuery } from '../../app/address.ts';
import { refreshAnswers } from '../../app/answers.ts';
import { call } from '../../app/call.ts';
import { hasRole, inOrganization } from '../../app/session.ts';
import { useQuery } from '../../app/use-query.ts';
import { Loaded } from '../../components/loaded.tsx';
import { PageHeader } from '../../components/page-header.tsx';
import { Skeleton } from '../../components/skeleton.tsx';
import { Tabs } from '../../components/tabs.tsx';
import { toast } from '../../components/toasts.tsx';
import { AlertSettings } from './alert-settings.tsx';
import { AutoReload } from './auto-reload.tsx';
import { BillingOverview } from './billing-overview.tsx';
import { EntryDialog } from './entry-dialog.tsx';
import { Invoices } from './invoices.tsx';
import { MoneyEntries } from './money-entries.tsx';
import { PortalButton } from './portal-button.tsx';

const checkoutMessages: Readonly<Record<ConfirmedView['state'], string>> = {
  complete: 'The payment has arrived. Thank you.',
  processing: 'The bank is still processing the payment. The credit is added when the payment arrives.',
  open: 'The payment is not finished.',
  expired: 'The checkout has expired. Nothing was charged.',
};

/** The plan, the credit and the payments of the organization. */
export function BillingPage() {
  const path = inOrganization('/billing')!;
  const billing = useQuery<BillingView>(path);
  useReturnFromCheckout(path);
  return (
    <>
      <PageHeader
        title="Billing"
        lead="Your plan, your credit, and where each credit came from."
        actions={billing.data?.has_portal && hasRole('owner') && <PortalButton path={path} />}
      />
      <Loaded query={billing} skeleton={<Skeleton lines={14} />}>
        {(view) => (
          <Tabs label="Parts of billing" tabs={tabsFor(view)}>
            {(id) => <Part id={id} view={view} path={path} />}
          </Tabs>
        )}
      </Loaded>
      <EntryDialog path={path} />
    </>
  );
}

const parts = [
  { id: 'plan', label: 'Plan and credit' },
  { id: 'entries', label: 'Entries' },
  { id: 'invoices', label: 'Invoices' },
  { id: 'reload', label: 'Automatic purchases' },
  { id: 'alerts', label: 'Alerts' },
] as const;
type PartId = (typeof parts)[number]['id'];

/** Automatic purchases need Stripe. Viewers do not see the addresses of alerts. */
const tabsFor = ({ payments }: BillingView) => {
  const isShown: Readonly<Partial<Record<PartId, boolean>>> = {
    reload: payments === 'stripe',
    alerts: hasRole('developer'),
  };
  return parts.filter(({ id }) => isShown[id] ?? true);
};

type PartProps = { id: PartId; view: BillingView; path: string };

function Part({ id, view, path }: PartProps) {
  switch (id) {
    case 'plan':
      return <BillingOverview view={view} path={path} />;
    case 'entries':
      return <MoneyEntries path={path} />;
    case 'invoices':
      return <Invoices path={path} />;
    case 'reload':
      return <AutoReload path={path} view={view} />;
    case 'alerts':
      return <AlertSettings path={path} />;
  }
}

/**
 * The address of a browser that returns from a payment names it.
 * The payment is applied even if no message has arrived.
 */
function useReturnFromCheckout(path: string): void {
  const checkout = queryValue('checkout');
  useEffect(() => {
    if (checkout === '') return;
    setQuery({ checkout: null });
    call<ConfirmedView>('POST', `${path}/confirm`, { checkout_id: checkout })
      .then(({ state }) => toast(checkoutMessages[state], state === 'expired' ? 'error' : 'success'))
      .catch((error: Error) => toast(error.message, 'error'))
      .finally(() => refreshAnswers(path));
  }, [checkout, path]);
}

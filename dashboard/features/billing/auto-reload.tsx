import type { BillingView } from '../../../src/console/dashboard/billing-schema.ts';
import type { ReloadView } from '../../../src/console/dashboard/reload-schema.ts';
import { call } from '../../app/call.ts';
import { hasRole } from '../../app/session.ts';
import { useQuery } from '../../app/use-query.ts';
import { Checkbox } from '../../components/checkbox.tsx';
import { Form, type FormValues } from '../../components/form.tsx';
import { formatUsd } from '../../components/format.ts';
import { Input } from '../../components/input.tsx';
import { Loaded } from '../../components/loaded.tsx';
import { Notice } from '../../components/notice.tsx';
import { Section } from '../../components/section.tsx';

type ReloadProps = { path: string; view: BillingView };

/** Purchases that are made when the credit is low, up to a ceiling in each calendar month. */
export function AutoReload({ path, view }: ReloadProps) {
  const reload = useQuery<ReloadView>(`${path}/auto-reload`);
  return (
    <Section
      title="Automatic purchases"
      lead="The gateway buys credit with your saved card when the balance is low. Payments in a month never exceed the ceiling."
      isCard
    >
      <Loaded query={reload}>
        {(settings) => (
          <ReloadForm key={String(settings.is_on)} path={path} view={view} settings={settings} />
        )}
      </Loaded>
    </Section>
  );
}

type FormProps = ReloadProps & { settings: ReloadView };

function ReloadForm({ path, view, settings }: FormProps) {
  const isOwner = hasRole('owner');
  const { min_usd, max_usd } = view.purchases;
  return (
    <>
      <CardLine settings={settings} />
      {settings.error && (
        <Notice
          kind="warning"
          title={settings.is_on ? 'The latest attempt failed' : 'Automatic purchases are off'}
        >
          {settings.error}
        </Notice>
      )}
      <p>
        Spent this month: <strong>{formatUsd(settings.spent_usd_this_month)}</strong>
        {settings.ceiling_usd_per_month > 0 && ` of ${formatUsd(settings.ceiling_usd_per_month)}`}
        {settings.is_paying && ' (a payment is under way)'}
      </p>
      <Form
        submitLabel="Save"
        isDisabled={!isOwner}
        refreshes={`${path}/auto-reload`}
        done="The settings were saved."
        onSubmit={(values) => call('POST', `${path}/auto-reload`, bodyOf(values))}
      >
        <Checkbox
          label="Buy credit automatically"
          name="is_on"
          isChecked={settings.is_on}
          isDisabled={!isOwner}
        />
        <Input
          label="Buy when purchased credit falls to"
          name="threshold_credits"
          type="number"
          suffix="credits"
          min={0}
          value={settings.threshold_credits}
          isRequired
          isDisabled={!isOwner}
        />
        <Input
          label="Buy"
          name="amount_usd"
          type="decimal"
          prefix="$"
          hint={`From ${formatUsd(min_usd)} to ${formatUsd(max_usd)}.`}
          min={min_usd}
          max={max_usd}
          step={0.01}
          isRequired
          isDisabled={!isOwner}
          value={settings.amount_usd || 20}
        />
        <Input
          label="Ceiling per calendar month (UTC)"
          name="ceiling_usd_per_month"
          type="decimal"
          prefix="$"
          min={0}
          step={0.01}
          isRequired
          isDisabled={!isOwner}
          value={settings.ceiling_usd_per_month || 100}
        />
      </Form>
    </>
  );
}

const CardLine = ({ settings: { card } }: { settings: ReloadView }) =>
  card ? (
    <p>
      Card: {card.brand} ending in <strong>{card.last4}</strong>
    </p>
  ) : (
    <Notice title="No card is saved">
      Save one with your next purchase, or with the button “Manage cards and subscription”.
    </Notice>
  );

const bodyOf = (values: FormValues) => ({
  is_on: values.is_on !== undefined,
  threshold_credits: Number(values.threshold_credits),
  amount_usd: Number(values.amount_usd),
  ceiling_usd_per_month: Number(values.ceiling_usd_per_month),
});

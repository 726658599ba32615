import { useState } from 'preact/hooks';
import type { CheckoutView } from '../../../src/console/dashboard/billing-order-schema.ts';
import type { BillingView } from '../../../src/console/dashboard/billing-schema.ts';
import { call } from '../../app/call.ts';
import { hasRole } from '../../app/session.ts';
import { Button } from '../../components/button.tsx';
import { Checkbox } from '../../components/checkbox.tsx';
import { Form } from '../../components/form.tsx';
import { formatCredits, formatUsd } from '../../components/format.ts';
import { Input } from '../../components/input.tsx';
import { CREDITS_PER_USD } from '../../components/microcredits.ts';
import { parseDecimal } from '../../components/parse-decimal.ts';
import { Section } from '../../components/section.tsx';

/** Buys credit in packs or in any amount. The payment itself is made at Stripe. */
export function PurchaseForm({ view, path }: { view: BillingView; path: string }) {
  const { min_usd, max_usd, packs_usd } = view.purchases;
  const [usd, setUsd] = useState(String(packs_usd[1] ?? packs_usd[0] ?? min_usd));
  if (view.payments !== 'stripe' || !hasRole('owner') || view.status === 'closed') return null;
  const amount = parseDecimal(usd);
  const credits = (amount ?? 0) * CREDITS_PER_USD;
  return (
    <Section
      title="Buy credit"
      lead="Purchased credit never expires. It pays for requests in pay-as-you-go mode."
      isCard
    >
      <Form
        submitLabel="Continue to payment"
        onSubmit={async (values) => {
          const order = { usd: Number(values.usd), save_card: values.save_card !== undefined };
          location.assign((await call<CheckoutView>('POST', `${path}/purchases`, order)).url);
        }}
      >
        <fieldset class="packs">
          <legend class="hidden">Packs</legend>
          {packs_usd.map((pack) => (
            <Button
              key={pack}
              kind={amount === pack ? 'primary' : 'secondary'}
              onClick={() => setUsd(String(pack))}
            >
              ${pack}
            </Button>
          ))}
        </fieldset>
        <Input
          label="Amount"
          name="usd"
          type="decimal"
          prefix="$"
          min={min_usd}
          max={max_usd}
          step={0.01}
          value={usd}
          onInput={setUsd}
          isRequired
          hint={
            credits > 0
              ? `${formatCredits(credits)} credits. From ${formatUsd(min_usd)} to ${formatUsd(max_usd)}.`
              : `From ${formatUsd(min_usd)} to ${formatUsd(max_usd)}.`
          }
        />
        <Checkbox label="Save the card for automatic purchases" name="save_card" />
      </Form>
    </Section>
  );
}

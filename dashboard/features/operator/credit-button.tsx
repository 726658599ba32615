import { useState } from 'preact/hooks';
import { call } from '../../app/call.ts';
import { randomKey } from '../../app/random-key.ts';
import { DialogButton } from '../../components/dialog-button.tsx';
import type { FormValues } from '../../components/form.tsx';
import { FormDialog } from '../../components/form-dialog.tsx';
import { Input } from '../../components/input.tsx';
import { type Option, Select } from '../../components/select.tsx';
import { ACCOUNTS, accountPath } from './operator-api.ts';
import type { AccountRow, EntryRow } from './rows.ts';

/** The entries that an operator can write, with the words of their forms. */
const entryForms = {
  grant: {
    label: 'Grant credits',
    title: 'Grant credits',
    path: 'grants',
    amount: 'Credits',
    note: 'Granted credits expire at the end of the cycle.',
  },
  purchase: {
    label: 'Record a purchase',
    title: 'Record a purchase',
    path: 'purchases',
    amount: 'US dollars',
    note: 'Purchased credit does not expire.',
  },
  adjustment: {
    label: 'Adjust',
    title: 'Adjust a balance',
    path: 'adjustments',
    amount: 'Credits',
    note: 'A negative number removes credits.',
  },
} as const;

type CreditProps = { account: AccountRow; kind: keyof typeof entryForms };

const balanceOptions: readonly Option<EntryRow['balance']>[] = [
  { value: 'monthly', label: 'Credits of the plan' },
  { value: 'purchased', label: 'Purchased credit' },
];

/** A button that opens the form of an entry of the ledger. */
export const CreditButton = (props: CreditProps) => (
  <DialogButton label={entryForms[props.kind].label}>
    {(close) => <CreditDialog {...props} onClose={close} />}
  </DialogButton>
);

function CreditDialog({ account, kind, onClose }: CreditProps & { onClose: () => void }) {
  const { title, path, amount, note } = entryForms[kind];
  // A repeated click must not give twice.
  const [key] = useState(randomKey);
  return (
    <FormDialog
      title={title}
      submitLabel={title}
      refreshes={ACCOUNTS}
      done="The entry was written."
      onClose={onClose}
      onSubmit={(values) =>
        call('POST', `${accountPath(account.id)}/${path}`, bodyOf(kind, values), {
          headers: { 'idempotency-key': key },
        })
      }
    >
      <p>{note}</p>
      <Input label={amount} name="amount" type="decimal" step="any" isRequired />
      {kind === 'adjustment' && <Select label="Balance" name="balance" options={balanceOptions} />}
      {kind !== 'purchase' && <Input label="Reason" name="reason" isRequired={kind === 'adjustment'} />}
    </FormDialog>
  );
}

function bodyOf(kind: CreditProps['kind'], { amount, reason, balance }: FormValues) {
  if (kind === 'purchase') return { usd: Number(amount) };
  return {
    credits: Number(amount),
    ...(reason && { reason }),
    ...(kind === 'adjustment' && { balance }),
  };
}

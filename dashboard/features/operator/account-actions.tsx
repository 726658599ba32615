import { useState } from 'preact/hooks';
import { call } from '../../app/call.ts';
import { randomKey } from '../../app/random-key.ts';
import { ConfirmButton } from '../../components/confirm-button.tsx';
import { DialogButton } from '../../components/dialog-button.tsx';
import type { FormValues } from '../../components/form.tsx';
import { FormButton } from '../../components/form-button.tsx';
import { FormDialog } from '../../components/form-dialog.tsx';
import { Input } from '../../components/input.tsx';
import { Select } from '../../components/select.tsx';
import { accountPath, mayChange, OPERATOR } from './operator-api.ts';
import { PlanSelect } from './plan-select.tsx';
import type { AccountRow } from './rows.ts';

const ACCOUNTS = `${OPERATOR}/accounts`;

/** The changes that an operator can make to an account. */
export function AccountActions({ account }: { account: AccountRow }) {
  if (!mayChange.value) return null;
  const isOpen = account.status !== 'closed';
  return (
    <div class="actions">
      {isOpen && <PlanButton account={account} />}
      {isOpen && <CreditButton account={account} kind="grant" />}
      {isOpen && <CreditButton account={account} kind="purchase" />}
      <CreditButton account={account} kind="adjustment" />
      <StatusButton account={account} status={account.status === 'active' ? 'suspended' : 'active'} />
      {isOpen && <StatusButton account={account} status="closed" />}
    </div>
  );
}

type Of = { account: AccountRow };

const PlanButton = ({ account }: Of) => (
  <FormButton
    label="Change plan"
    refreshes={ACCOUNTS}
    done="The plan was changed."
    onSubmit={({ plan }) => call('PATCH', accountPath(account.id), { plan })}
  >
    <p>An upgrade applies now. A downgrade applies at the renewal.</p>
    <PlanSelect value={account.plan} />
  </FormButton>
);

const kinds = {
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

type CreditProps = Of & { kind: keyof typeof kinds };

const CreditButton = (props: CreditProps) => (
  <DialogButton label={kinds[props.kind].label}>
    {(close) => <CreditDialog {...props} onClose={close} />}
  </DialogButton>
);

function CreditDialog({ account, kind, onClose }: CreditProps & { onClose: () => void }) {
  const { title, path, amount, note } = kinds[kind];
  // A repeated click must not give twice.
  const [key] = useState(randomKey);
  const bodyOf = ({ amount: text, reason, balance }: FormValues) => ({
    [kind === 'purchase' ? 'usd' : 'credits']: Number(text),
    ...(kind !== 'purchase' && reason && { reason }),
    ...(kind === 'adjustment' && { balance }),
  });
  return (
    <FormDialog
      title={title}
      submitLabel={title}
      refreshes={ACCOUNTS}
      done="The entry was written."
      onClose={onClose}
      onSubmit={(values) =>
        call('POST', `${accountPath(account.id)}/${path}`, bodyOf(values), {
          headers: { 'idempotency-key': key },
        })
      }
    >
      <p>{note}</p>
      <Input label={amount} name="amount" type="number" step="any" isRequired />
      {kind === 'adjustment' && <Select label="Balance" name="balance" options={balances} />}
      {kind !== 'purchase' && <Input label="Reason" name="reason" isRequired={kind === 'adjustment'} />}
    </FormDialog>
  );
}

const balances = [
  { value: 'monthly', label: 'Credits of the plan' },
  { value: 'purchased', label: 'Purchased credit' },
];

const statuses = {
  suspended: {
    title: 'Suspend the account?',
    label: 'Suspend',
    confirmLabel: 'Suspend',
    text: 'All keys are refused at once. Requests in progress end.',
  },
  active: {
    title: 'Reopen the account?',
    label: 'Reopen',
    confirmLabel: 'Reopen',
    text: 'Its keys are accepted again.',
  },
  closed: {
    title: 'Close the account?',
    label: 'Close',
    confirmLabel: 'Close the account',
    text: 'All keys are refused at once. The ledger stays.',
  },
} as const;

const StatusButton = ({ account, status }: Of & { status: keyof typeof statuses }) => {
  const { title, label, confirmLabel, text } = statuses[status];
  return (
    <ConfirmButton
      label={label}
      kind={status === 'closed' ? 'danger' : 'secondary'}
      title={title}
      confirmLabel={confirmLabel}
      isDangerous={status !== 'active'}
      typed={status === 'closed' ? account.name : undefined}
      refreshes={ACCOUNTS}
      done="The account was changed."
      onConfirm={() => call('PATCH', accountPath(account.id), { status })}
    >
      {text}
    </ConfirmButton>
  );
};

import { useState } from 'preact/hooks';
import { refreshAnswers } from '../../app/answers.ts';
import { call } from '../../app/call.ts';
import { randomKey } from '../../app/random-key.ts';
import { Button } from '../../components/button.tsx';
import { ConfirmDialog } from '../../components/confirm-dialog.tsx';
import { Dialog } from '../../components/dialog.tsx';
import { Form, type FormValues } from '../../components/form.tsx';
import { Input } from '../../components/input.tsx';
import { Select } from '../../components/select.tsx';
import { toast } from '../../components/toasts.tsx';
import { accountPath, mayChange, OPERATOR } from './operator-api.ts';
import { PlanSelect } from './plan-select.tsx';
import type { AccountRow } from './rows.ts';

type Asked = 'plan' | 'grant' | 'purchase' | 'adjustment' | 'suspended' | 'active' | 'closed';

/** The changes that an operator can make to an account. */
export function AccountActions({ account }: { account: AccountRow }) {
  const [asked, setAsked] = useState<Asked>();
  if (!mayChange.value) return null;
  const close = () => setAsked(undefined);
  const parts = { account, close };
  const isClosed = account.status === 'closed';
  return (
    <div class="actions">
      {!isClosed && <Button onClick={() => setAsked('plan')}>Change plan</Button>}
      {!isClosed && <Button onClick={() => setAsked('grant')}>Grant credits</Button>}
      {!isClosed && <Button onClick={() => setAsked('purchase')}>Record a purchase</Button>}
      <Button onClick={() => setAsked('adjustment')}>Adjust</Button>
      {account.status === 'active' && <Button onClick={() => setAsked('suspended')}>Suspend</Button>}
      {account.status !== 'active' && <Button onClick={() => setAsked('active')}>Reopen</Button>}
      {!isClosed && (
        <Button kind="danger" onClick={() => setAsked('closed')}>
          Close
        </Button>
      )}
      {asked === 'plan' && <PlanDialog {...parts} />}
      {(asked === 'grant' || asked === 'purchase' || asked === 'adjustment') && (
        <CreditDialog {...parts} kind={asked} />
      )}
      {(asked === 'suspended' || asked === 'active' || asked === 'closed') && (
        <StatusDialog {...parts} status={asked} />
      )}
    </div>
  );
}

type Parts = { account: AccountRow; close: () => void };

const done = (text: string, close: () => void) => {
  refreshAnswers(`${OPERATOR}/accounts`);
  toast(text);
  close();
};

const PlanDialog = ({ account, close }: Parts) => (
  <Dialog title="Change plan" onClose={close}>
    <Form
      submitLabel="Change plan"
      onSubmit={async ({ plan }) => {
        await call('PATCH', accountPath(account.id), { plan });
        done('The plan was changed.', close);
      }}
    >
      <p>An upgrade applies now. A downgrade applies at the renewal.</p>
      <PlanSelect value={account.plan} />
    </Form>
  </Dialog>
);

const kinds = {
  grant: {
    title: 'Grant credits',
    path: 'grants',
    amount: 'Credits',
    note: 'Granted credits expire at the end of the cycle.',
  },
  purchase: {
    title: 'Record a purchase',
    path: 'purchases',
    amount: 'US dollars',
    note: 'Purchased credit does not expire.',
  },
  adjustment: {
    title: 'Adjust a balance',
    path: 'adjustments',
    amount: 'Credits',
    note: 'A negative number removes credits.',
  },
} as const;

function CreditDialog({ account, close, kind }: Parts & { kind: keyof typeof kinds }) {
  const { title, path, amount, note } = kinds[kind];
  // A repeated click must not give twice.
  const [key] = useState(randomKey);
  const bodyOf = ({ amount: text, reason, balance }: FormValues) => ({
    [kind === 'purchase' ? 'usd' : 'credits']: Number(text),
    ...(kind !== 'purchase' && reason && { reason }),
    ...(kind === 'adjustment' && { balance }),
  });
  return (
    <Dialog title={title} onClose={close}>
      <Form
        submitLabel={title}
        onSubmit={async (values) => {
          await call('POST', `${accountPath(account.id)}/${path}`, bodyOf(values), {
            headers: { 'idempotency-key': key },
          });
          done('The entry was written.', close);
        }}
      >
        <p>{note}</p>
        <Input label={amount} name="amount" type="number" step="any" isRequired />
        {kind === 'adjustment' && (
          <Select
            label="Balance"
            name="balance"
            options={[
              { value: 'monthly', label: 'Credits of the plan' },
              { value: 'purchased', label: 'Purchased credit' },
            ]}
          />
        )}
        {kind !== 'purchase' && <Input label="Reason" name="reason" isRequired={kind === 'adjustment'} />}
      </Form>
    </Dialog>
  );
}

const statuses = {
  suspended: {
    title: 'Suspend the account?',
    label: 'Suspend',
    text: 'All keys are refused at once. Requests in progress end.',
  },
  active: { title: 'Reopen the account?', label: 'Reopen', text: 'Its keys are accepted again.' },
  closed: {
    title: 'Close the account?',
    label: 'Close the account',
    text: 'All keys are refused at once. The ledger stays.',
  },
} as const;

function StatusDialog({ account, close, status }: Parts & { status: keyof typeof statuses }) {
  const { title, label, text } = statuses[status];
  return (
    <ConfirmDialog
      title={title}
      confirmLabel={label}
      isDangerous={status !== 'active'}
      typed={status === 'closed' ? account.name : undefined}
      onClose={close}
      onConfirm={async () => {
        await call('PATCH', accountPath(account.id), { status });
        refreshAnswers(`${OPERATOR}/accounts`);
        toast('The account was changed.');
      }}
    >
      {text}
    </ConfirmDialog>
  );
}

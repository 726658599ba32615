import { call } from '../../app/call.ts';
import { ConfirmButton } from '../../components/confirm-button.tsx';
import { ACCOUNTS, accountPath } from './operator-api.ts';
import type { AccountRow } from './rows.ts';

/** The words of the change to each status. */
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
} as const satisfies Record<AccountRow['status'], object>;

type StatusButtonProps = { account: AccountRow; status: AccountRow['status'] };

/** A button that gives an account another status. */
export const StatusButton = ({ account, status }: StatusButtonProps) => {
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

import { useState } from 'preact/hooks';
import { call } from '../../app/call.ts';
import { mayOperate } from '../../app/session.ts';
import { useAction } from '../../app/use-action.ts';
import { Button } from '../../components/button.tsx';
import type { Column } from '../../components/column.ts';
import { buttonColumn, textColumn } from '../../components/columns.tsx';
import { ConfirmButton } from '../../components/confirm-button.tsx';
import { FormButton } from '../../components/form-button.tsx';
import { formatBytes, formatCount } from '../../components/format.ts';
import { Input } from '../../components/input.tsx';
import { Notice } from '../../components/notice.tsx';
import { PageHeader } from '../../components/page-header.tsx';
import { ProblemNotice } from '../../components/problem-notice.tsx';
import { Section } from '../../components/section.tsx';
import { Skeleton } from '../../components/skeleton.tsx';
import { Table } from '../../components/table.tsx';
import { toast } from '../../components/toasts.tsx';
import { AccountName } from './known-names.tsx';
import { accountPath, OPERATOR } from './operator-api.ts';
import type { LedgerArchive, Verification } from './rows.ts';

type Fault = Verification['faults'][number];

/** Verification, repair and archive of the ledger. */
export function LedgerPage() {
  const [verified, setVerified] = useState<Verification>();
  const verify = useAction(async () =>
    setVerified(await call<Verification>('GET', `${OPERATOR}/ledger/verify`)),
  );
  return (
    <>
      <PageHeader
        title="Ledger"
        lead="A verification recomputes every chain of hashes, every balance and every sum from the entries."
        actions={
          <Button kind="primary" onClick={() => void verify.run()} isRunning={verify.isRunning}>
            Verify now
          </Button>
        }
      />
      {verify.problem && <ProblemNotice problem={verify.problem} />}
      {verify.isRunning && <Skeleton lines={4} />}
      {!verify.isRunning && verified && <Result verified={verified} />}
      {!verify.isRunning && !verified && (
        <p class="soft">
          The ledger has not been verified from this page yet. Verifying a large ledger takes minutes.
          Requests are served meanwhile.
        </p>
      )}
      {mayOperate.value && <Archive />}
    </>
  );
}

function Result({ verified }: { verified: Verification }) {
  const { accounts, entries, faults } = verified;
  const counts = `Checked: ${formatCount(entries, 'entry', 'entries')} of ${formatCount(accounts, 'account')}.`;
  if (faults.length === 0)
    return (
      <Notice kind="success" title="The ledger is sound">
        {counts}
      </Notice>
    );
  return (
    <>
      <Notice kind="error" title={formatCount(faults.length, 'fault')}>
        {counts}
      </Notice>
      <Table
        caption="Faults"
        columns={faultColumns}
        rows={faults}
        rowKey={(fault) => JSON.stringify(fault)}
      />
    </>
  );
}

const faultColumns: readonly Column<Fault>[] = [
  textColumn('account', 'Account', ({ account_id }) =>
    account_id ? <AccountName id={account_id} /> : 'the store',
  ),
  textColumn('fault', 'Fault', ({ account_id: _, ...fault }) => Object.values(fault).map(String).join(': ')),
  buttonColumn(
    'repair',
    'Repair',
    ({ account_id }) => mayOperate.value && account_id && <RepairButton accountId={account_id} />,
  ),
];

const RepairButton = ({ accountId }: { accountId: string }) => (
  <ConfirmButton
    label="Repair"
    title="Repair the account's ledger?"
    typed={accountId}
    refreshes={OPERATOR}
    done="The ledger of the account was repaired. Verify it again."
    onConfirm={() => call('POST', `${accountPath(accountId)}/ledger/repair`, {})}
  >
    Balances and sums are computed from the readable entries. Each damaged entry is accepted by a repair
    entry, which names it.
  </ConfirmButton>
);

const Archive = () => (
  <Section
    title="Archive"
    lead="Entries of closed months can be moved into compressed segments. Receipts and verification continue to read them."
    actions={
      <FormButton
        label="Archive entries"
        submitLabel="Archive"
        onSubmit={async ({ before }) => {
          const path = `${OPERATOR}/ledger/archive`;
          const moved = await call<LedgerArchive>('POST', path, { before });
          toast(
            `Archived: ${formatCount(moved.entries, 'entry', 'entries')} in ${formatBytes(moved.bytes)}.`,
          );
        }}
      >
        <Input
          label="Before this month"
          name="before"
          type="month"
          isRequired
          hint="A month in UTC. Its own entries stay."
        />
      </FormButton>
    }
  />
);

import { useState } from 'preact/hooks';
import { refreshAnswers } from '../../app/answers.ts';
import { call } from '../../app/call.ts';
import { useAction } from '../../app/use-action.ts';
import { Button } from '../../components/button.tsx';
import { ConfirmDialog } from '../../components/confirm-dialog.tsx';
import { Dialog } from '../../components/dialog.tsx';
import { Form } from '../../components/form.tsx';
import { formatBytes, formatNumber } from '../../components/format.ts';
import { Input } from '../../components/input.tsx';
import { Notice } from '../../components/notice.tsx';
import { PageHeader } from '../../components/page-header.tsx';
import { ProblemNotice } from '../../components/problem-notice.tsx';
import { Section } from '../../components/section.tsx';
import { Skeleton } from '../../components/skeleton.tsx';
import { type Column, Table } from '../../components/table.tsx';
import { toast } from '../../components/toasts.tsx';
import { accountPath, mayChange, OPERATOR } from './operator-api.ts';
import type { Verification } from './rows.ts';

type Fault = Verification['faults'][number];

/** Verification, repair and archive of the ledger. */
export function LedgerPage() {
  const [verified, setVerified] = useState<Verification>();
  const [repairing, setRepairing] = useState<string>();
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
      {!verify.isRunning && verified && <Result verified={verified} onRepair={setRepairing} />}
      {!verify.isRunning && !verified && (
        <p class="soft">
          The ledger has not been verified from this page yet. Verifying a large ledger takes minutes.
          Requests are served meanwhile.
        </p>
      )}
      {mayChange.value && <Archive />}
      {repairing && <RepairDialog accountId={repairing} onClose={() => setRepairing(undefined)} />}
    </>
  );
}

function Result({ verified, onRepair }: { verified: Verification; onRepair: (accountId: string) => void }) {
  const { accounts, entries, faults } = verified;
  const counts = `${formatNumber(entries)} entries of ${formatNumber(accounts)} accounts were checked.`;
  if (faults.length === 0)
    return (
      <Notice kind="success" title="The ledger is sound">
        {counts}
      </Notice>
    );
  return (
    <>
      <Notice kind="error" title={`${formatNumber(faults.length)} faults`}>
        {counts}
      </Notice>
      <Table
        caption="Faults"
        columns={faultColumns(onRepair)}
        rows={faults}
        rowKey={(fault) => JSON.stringify(fault)}
      />
    </>
  );
}

const faultColumns = (onRepair: (accountId: string) => void): readonly Column<Fault>[] => [
  {
    key: 'account',
    header: 'Account',
    cell: ({ account_id }) =>
      account_id ? <a href={`/operator/accounts/${account_id}`}>{account_id}</a> : 'the store',
  },
  {
    key: 'fault',
    header: 'Fault',
    cell: ({ account_id: _, ...fault }) => Object.values(fault).map(String).join(': '),
  },
  {
    key: 'repair',
    header: 'Repair',
    hidesHeader: true,
    cell: ({ account_id }) =>
      mayChange.value && account_id && <Button onClick={() => onRepair(account_id)}>Repair</Button>,
  },
];

const RepairDialog = ({ accountId, onClose }: { accountId: string; onClose: () => void }) => (
  <ConfirmDialog
    title="Repair the account's ledger?"
    confirmLabel="Repair"
    typed={accountId}
    onClose={onClose}
    onConfirm={async () => {
      await call('POST', `${accountPath(accountId)}/ledger/repair`, {});
      refreshAnswers(OPERATOR);
      toast('The ledger of the account was repaired. Verify it again.');
    }}
  >
    Balances and sums are computed from the readable entries. Each damaged entry is accepted by a repair
    entry, which names it.
  </ConfirmDialog>
);

function Archive() {
  const [isOpen, setOpen] = useState(false);
  return (
    <Section
      title="Archive"
      lead="Entries of closed months can be moved into compressed segments. Receipts and verification continue to read them."
      actions={<Button onClick={() => setOpen(true)}>Archive entries</Button>}
    >
      {isOpen && (
        <Dialog title="Archive entries" onClose={() => setOpen(false)}>
          <Form
            submitLabel="Archive"
            onSubmit={async ({ before }) => {
              const moved = await call<{ entries: number; bytes: number }>(
                'POST',
                `${OPERATOR}/ledger/archive`,
                { before },
              );
              toast(`${formatNumber(moved.entries)} entries are archived in ${formatBytes(moved.bytes)}.`);
              setOpen(false);
            }}
          >
            <Input
              label="Before this month"
              name="before"
              placeholder="2026-10"
              isRequired
              hint="A month in UTC. Its own entries stay."
            />
          </Form>
        </Dialog>
      )}
    </Section>
  );
}

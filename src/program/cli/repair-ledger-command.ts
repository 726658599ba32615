import { counted } from '../../base/lib/counted.ts';
import { accountVerificationView, repairView } from '../../money/ledger/verification-view.ts';
import type { SqliteStore } from '../../store/sqlite/sqlite-store.ts';
import { allItems } from './all-items.ts';
import { callAdmin } from './call-admin.ts';
import type { Run } from './command.ts';
import { CommandFailure, UsageError } from './command-failure.ts';
import { accountNamed, findAccount } from './find-account.ts';
import { type Column, formatTable } from './format-table.ts';
import type { Invocation } from './invocation.ts';
import { ledgerFaultColumns } from './ledger-fault-columns.ts';
import { LEDGER_TIMEOUT_MS } from './ledger-timeout.ts';
import { field, printJson } from './print-answer.ts';
import { stoppedDirectory, withStoppedStore } from './stopped-store.ts';

type Inspection = ReturnType<typeof accountVerificationView>;
type Repair = ReturnType<typeof repairView>;

/** The actor in the audit log for repairs without a running server. */
const COMMAND_LINE = 'command-line';
const addedColumns: readonly Column<Repair['added'][number]>[] = [
  field('id'),
  field('balance'),
  field('microcredits'),
  field('reason'),
];

/**
 * Prints the faults in the ledger of an account. The exit code is 1 if there are any, or if the account is in
 * quarantine.
 */
export const inspect: Run = async (invocation) => {
  const inspection = await inspectionOf(invocation);
  const { account_id, entries, quarantine, faults } = inspection;
  const size = counted(entries, 'entry', 'entries');
  if (invocation.flag('json')) printJson(invocation, inspection);
  else if (faults.length > 0) invocation.terminal.print(formatTable(ledgerFaultColumns, faults));
  if (quarantine)
    invocation.terminal.remark(`In quarantine since ${quarantine.since}: ${quarantine.reason}.`);
  if (faults.length > 0)
    throw new CommandFailure(`${counted(faults.length, 'fault')} in ${size} of ${account_id}`);
  if (!invocation.flag('json'))
    invocation.terminal.print(`${account_id} with ${size}: all balances match the entries.`);
  return quarantine ? 1 : 0;
};

/** Repairs the ledger of an account. Without an account, repairs the holds that belong to none. */
export const repair: Run = async (invocation) => {
  const account = invocation.positional('ACCOUNT');
  if (!invocation.flag('yes'))
    throw new UsageError(
      `a repair rewrites balances; first run \`tollgate ledger ${account ? `inspect ${account}` : 'verify'}\`, ` +
        'back up the data directory, then repeat with --yes',
    );
  if (account === undefined) return repairStore(invocation);
  const repaired = await repairOf(invocation);
  if (invocation.flag('json')) printJson(invocation, repaired);
  else {
    if (repaired.added.length > 0) invocation.terminal.print(formatTable(addedColumns, repaired.added));
    invocation.terminal.print(
      `${account} with ${counted(repaired.entries, 'entry', 'entries')}: ${counted(repaired.mended.length, 'fault')} repaired, ` +
        `${counted(repaired.added.length, 'adjustment')} added; the account is in service again.`,
    );
  }
  return 0;
};

/** Refuses an unknown id. An account whose row is lost still has entries or faults. */
async function requireLedger(store: SqliteStore, account: string): Promise<void> {
  if ((await store.findAccount(account)) !== undefined) return;
  const { entries, faults } = await store.ledger.verifyAccount(account);
  if (entries === 0 && faults.length === 0) throw new CommandFailure('There is no such account.');
}

const accountIn = (store: SqliteStore, invocation: Invocation): Promise<string> =>
  accountNamed(
    invocation.required('ACCOUNT'),
    allItems((page) => store.listAccounts(page)),
  );

async function inspectionOf(invocation: Invocation): Promise<Inspection> {
  const directory = stoppedDirectory(invocation);
  if (directory === undefined) {
    const params = { id: await findAccount(invocation) };
    const call = { params, timeoutMs: LEDGER_TIMEOUT_MS };
    return callAdmin(invocation, 'GET /accounts/{id}/ledger/verify', call);
  }
  return withStoppedStore(directory, async (store) => {
    const account = await accountIn(store, invocation);
    await requireLedger(store, account);
    const verified = await store.ledger.verifyAccount(account);
    return accountVerificationView(account, verified, store.ledger.quarantineOf(account));
  });
}

async function repairOf(invocation: Invocation): Promise<Repair> {
  const keepsBalances = invocation.flag('keep-balances');
  const directory = stoppedDirectory(invocation);
  if (directory === undefined)
    return callAdmin(invocation, 'POST /accounts/{id}/ledger/repair', {
      params: { id: await findAccount(invocation) },
      body: { keep_balances: keepsBalances },
      timeoutMs: LEDGER_TIMEOUT_MS,
    });
  return withStoppedStore(directory, async (store) => {
    const account = await accountIn(store, invocation);
    await requireLedger(store, account);
    const at = Date.now();
    const repaired = await store.ledger.repairAccount({ accountId: account, keepsBalances, at });
    if (!repaired) throw new CommandFailure(`${account} is in use`);
    const view = repairView(account, repaired);
    const audit = { actor: COMMAND_LINE, action: 'ledger-repair', target: account } as const;
    await store.recordAudit({ at, ...audit, before: null, after: view });
    return view;
  });
}

async function repairStore(invocation: Invocation): Promise<number> {
  const directory = stoppedDirectory(invocation);
  const repaired =
    directory === undefined
      ? await callAdmin(invocation, 'POST /ledger/repair')
      : await withStoppedStore(directory, async (store) => {
          const after = { removed_holds: (await store.ledger.repairStore()).removedHolds };
          const audit = { actor: COMMAND_LINE, action: 'ledger-repair', target: 'store' } as const;
          await store.recordAudit({ at: Date.now(), ...audit, before: null, after });
          return after;
        });
  if (invocation.flag('json')) printJson(invocation, repaired);
  else invocation.terminal.print(`Repaired. Holds removed: ${repaired.removed_holds}.`);
  return 0;
}

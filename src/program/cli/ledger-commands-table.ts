import { clientOptions } from './client-options.ts';
import type { Command } from './command.ts';
import { accountPositional } from './command-options.ts';
import { textOption } from './option-kinds.ts';

const ledger = () => import('./ledger-commands.ts');
const repairs = () => import('./repair-ledger-command.ts');

/** The commands that show, verify, repair and archive the ledger. */
export const ledgerCommandsTable: readonly Command[] = [
  {
    name: 'ledger show',
    summary: 'Shows a ledger entry, for example the receipt of a request',
    positionals: [{ name: 'ID', summary: 'Id of the entry or of its request' }],
    options: clientOptions,
    examples: ['ledger show req_123'],
    load: async () => (await ledger()).showEntry,
  },
  {
    name: 'ledger verify',
    summary:
      'Recomputes all balances from the ledger entries and reports differences, with or without a running server',
    options: {
      'database-url': textOption(
        'URL',
        'Postgres database to verify directly (default: DATABASE_URL, unless --data or --url is given)',
      ),
      ...clientOptions,
    },
    examples: [
      'ledger verify',
      'ledger verify --data /var/lib/tollgate',
      'ledger verify --database-url postgres://127.0.0.1/tollgate',
    ],
    load: async () => (await import('./verify-ledger-command.ts')).verifyLedgerCommand,
  },
  {
    name: 'ledger inspect',
    summary: 'Lists the faults in the ledger of an account and shows whether it is in quarantine',
    positionals: [accountPositional],
    options: clientOptions,
    examples: ['ledger inspect acct_123'],
    load: async () => (await repairs()).inspect,
  },
  {
    name: 'ledger repair',
    summary: 'Recomputes the balances of an account from its entries and ends its quarantine',
    positionals: [
      {
        ...accountPositional,
        optional: true,
        summary: 'Id or name of the account (default: repair the holds that belong to no account)',
      },
    ],
    options: {
      yes: { kind: 'flag', summary: 'Confirms the repair; required' },
      'keep-balances': {
        kind: 'flag',
        summary: 'Keeps the current balances and adds adjustments (default: the entries decide)',
      },
      ...clientOptions,
    },
    examples: ['ledger repair acct_123 --yes'],
    load: async () => (await repairs()).repair,
  },
  {
    name: 'ledger archive',
    summary: 'Moves ledger entries of closed months into compressed files, with or without a running server',
    options: {
      before: textOption(
        'MONTH',
        'Month in UTC, for example 2026-10; entries from before it are moved; required',
      ),
      ...clientOptions,
    },
    examples: ['ledger archive --before 2026-10'],
    load: async () => (await import('./archive-ledger-command.ts')).archiveLedgerCommand,
  },
];

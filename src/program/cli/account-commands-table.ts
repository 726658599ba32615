import { planIds } from '../../settings/plans/plan.ts';
import { balances } from './account-balances.ts';
import { clientOptions } from './client-options.ts';
import type { Command } from './command.ts';
import { accountPositional } from './command-options.ts';
import { yesOption } from './confirm.ts';
import { textOption } from './option-kinds.ts';
import { pageOptions } from './page-options.ts';
import { listOptions } from './print-answer.ts';

const accounts = () => import('./account-commands.ts');
const ledger = () => import('./ledger-commands.ts');

/** The commands for accounts, their credit and their usage. */
export const accountCommandsTable: readonly Command[] = [
  {
    name: 'account create',
    summary: 'Creates an account',
    positionals: [{ name: 'NAME', summary: 'Name of the account', optional: true }],
    options: {
      name: textOption('NAME', 'Same as NAME'),
      email: textOption('EMAIL', 'Email address of the account'),
      plan: { ...textOption('PLAN', 'Plan of the account (default free)'), choices: planIds },
      ...clientOptions,
    },
    examples: ['account create "Ada Lovelace" --email ada@example.com --plan pro'],
    load: async () => (await accounts()).createAccount,
  },
  {
    name: 'account list',
    summary: 'Lists the accounts, oldest first',
    options: {
      search: textOption(
        'TEXT',
        'Only accounts with this text in their name or email, or at the start of their id',
      ),
      ...pageOptions,
      ...listOptions,
      ...clientOptions,
    },
    examples: ['account list', 'account list --limit 1000 --csv'],
    load: async () => (await accounts()).listAccounts,
  },
  {
    name: 'account show',
    summary: 'Shows an account',
    positionals: [accountPositional],
    options: clientOptions,
    examples: ['account show "Ada Lovelace"', 'account show acct_123 --json'],
    load: async () => (await accounts()).showAccount,
  },
  {
    name: 'account set-plan',
    summary: 'Changes the plan of an account; upgrades apply immediately, downgrades at the next renewal',
    positionals: [accountPositional, { name: 'PLAN', summary: 'The new plan', choices: planIds }],
    options: clientOptions,
    examples: ['account set-plan "Ada Lovelace" max'],
    load: async () => (await accounts()).setPlan,
  },
  {
    name: 'account suspend',
    summary: 'Suspends an account until it is reopened',
    positionals: [accountPositional],
    options: clientOptions,
    examples: ['account suspend acct_123'],
    load: async () => (await accounts()).suspendAccount,
  },
  {
    name: 'account clear-shortfall',
    summary: 'Ends the stop of hosted tools that followed shortfalls',
    positionals: [accountPositional],
    options: clientOptions,
    examples: ['account clear-shortfall acct_123'],
    load: async () => (await accounts()).clearShortfall,
  },
  {
    name: 'account close',
    summary: 'Closes an account',
    positionals: [accountPositional],
    options: { yes: yesOption, ...clientOptions },
    examples: ['account close acct_123', 'account close acct_123 --yes'],
    load: async () => (await accounts()).closeAccount,
  },
  {
    name: 'account reopen',
    summary: 'Reactivates a suspended or closed account',
    positionals: [accountPositional],
    options: clientOptions,
    examples: ['account reopen acct_123'],
    load: async () => (await accounts()).reopenAccount,
  },
  {
    name: 'account grant',
    summary: 'Grants credits to an account for the current billing cycle',
    positionals: [accountPositional, { name: 'CREDITS', summary: 'Number of credits' }],
    options: {
      reason: { kind: 'text', summary: 'Reason, as recorded in the ledger' },
      ...clientOptions,
    },
    examples: ['account grant acct_123 500 --reason "outage of 22 November"'],
    load: async () => (await accounts()).grantCredits,
  },
  {
    name: 'account purchase',
    summary: 'Adds purchased credit to an account',
    positionals: [
      accountPositional,
      {
        name: 'USD',
        summary: 'Amount in USD, by default from 2 to 1000 (see `purchases` in the configuration)',
      },
    ],
    options: clientOptions,
    examples: ['account purchase acct_123 20'],
    load: async () => (await accounts()).purchaseCredit,
  },
  {
    name: 'account adjust',
    summary: 'Corrects a balance of an account by an amount, which a minus sign takes away',
    positionals: [
      accountPositional,
      { name: 'CREDITS', summary: 'Number of credits, for example 12.5 or -12.5' },
    ],
    options: {
      balance: {
        ...textOption('BALANCE', 'Balance to correct (default monthly)'),
        choices: balances,
      },
      reason: textOption('TEXT', 'Reason, as recorded in the ledger'),
      ...clientOptions,
    },
    examples: [
      'account adjust acct_123 12.5 --reason "wrong price on 22 November"',
      'account adjust acct_123 -12.5 --balance purchased --reason "charged back"',
    ],
    load: async () => (await accounts()).adjustBalance,
  },
  {
    name: 'account usage',
    summary: 'Shows the total usage of an account by day, model or key',
    positionals: [accountPositional],
    options: {
      by: {
        ...textOption('GROUP', 'Grouping of the totals (default day)'),
        choices: ['day', 'model', 'key'],
      },
      from: textOption('TIME', 'Start time, ISO 8601, in whole hours (default: the first entry)'),
      to: textOption('TIME', 'End time, ISO 8601, exclusive (default: now)'),
      ...listOptions,
      ...clientOptions,
    },
    examples: [
      'account usage acct_123',
      'account usage acct_123 --by model --from 2026-11-01T00:00:00Z --csv',
    ],
    load: async () => (await ledger()).showUsage,
  },
  {
    name: 'account ledger',
    summary: 'Lists the ledger entries of an account, newest first',
    positionals: [accountPositional],
    options: { ...pageOptions, ...listOptions, ...clientOptions },
    examples: ['account ledger acct_123 --limit 100', 'account ledger acct_123 --jsonl'],
    load: async () => (await ledger()).listLedger,
  },
];

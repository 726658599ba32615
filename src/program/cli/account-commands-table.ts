import { adminRoles } from '../../customers/operators/admin-token.ts';
import { retriesChoices } from '../../money/accounts/api-key.ts';
import { MAX_USD } from '../../settings/plans/amounts.ts';
import { planIds } from '../../settings/plans/plan.ts';
import { clientOptions } from './admin-client.ts';
import type { Command } from './command.ts';
import { account, count, text } from './command-options.ts';
import { yesOption } from './confirm.ts';
import { pageOptions } from './page-options.ts';
import { listOptions } from './print-answer.ts';
import { expiryOption, rotationOptions } from './rotation-options.ts';

/** The commands for accounts, their ledgers, keys and admin tokens. */
export const accountCommands: readonly Command[] = [
  {
    name: 'account create',
    summary: 'Creates an account',
    positionals: [{ name: 'NAME', summary: 'Name of the account', optional: true }],
    options: {
      name: text('NAME', 'Same as NAME'),
      email: text('EMAIL', 'Email address of the account'),
      plan: { ...text('PLAN', 'Plan of the account (default free)'), choices: planIds },
      ...clientOptions,
    },
    load: async () => (await import('./account-commands.ts')).createAccount,
  },
  {
    name: 'account list',
    summary: 'Lists the accounts, oldest first',
    options: {
      search: text(
        'TEXT',
        'Only accounts with this text in their name or email, or at the start of their id',
      ),
      ...pageOptions,
      ...listOptions,
      ...clientOptions,
    },
    load: async () => (await import('./account-commands.ts')).listAccounts,
  },
  {
    name: 'account show',
    summary: 'Shows an account',
    positionals: [account],
    options: clientOptions,
    load: async () => (await import('./account-commands.ts')).showAccount,
  },
  {
    name: 'account set-plan',
    summary: 'Changes the plan of an account; upgrades apply immediately, downgrades at the next renewal',
    positionals: [account, { name: 'PLAN', summary: 'The new plan', choices: planIds }],
    options: clientOptions,
    load: async () => (await import('./account-commands.ts')).setPlan,
  },
  {
    name: 'account suspend',
    summary: 'Suspends an account until it is reopened',
    positionals: [account],
    options: clientOptions,
    load: async () => (await import('./account-commands.ts')).suspendAccount,
  },
  {
    name: 'account clear-shortfall',
    summary: 'Ends the stop of hosted tools that followed shortfalls',
    positionals: [account],
    options: clientOptions,
    load: async () => (await import('./account-commands.ts')).clearShortfall,
  },
  {
    name: 'account close',
    summary: 'Closes an account',
    positionals: [account],
    options: { yes: yesOption, ...clientOptions },
    load: async () => (await import('./account-commands.ts')).closeAccount,
  },
  {
    name: 'account reopen',
    summary: 'Reactivates a suspended or closed account',
    positionals: [account],
    options: clientOptions,
    load: async () => (await import('./account-commands.ts')).reopenAccount,
  },
  {
    name: 'account grant',
    summary: 'Grants credits to an account for the current billing cycle',
    positionals: [account, { name: 'CREDITS', summary: 'Number of credits' }],
    options: {
      reason: { kind: 'text', summary: 'Reason, as recorded in the ledger' },
      ...clientOptions,
    },
    load: async () => (await import('./account-commands.ts')).grantCredits,
  },
  {
    name: 'account purchase',
    summary: 'Adds purchased credit to an account',
    positionals: [
      account,
      {
        name: 'USD',
        summary: 'Amount in USD, by default from 2 to 1000 (see `purchases` in the configuration)',
      },
    ],
    options: clientOptions,
    load: async () => (await import('./account-commands.ts')).purchaseCredit,
  },
  {
    name: 'account usage',
    summary: 'Shows the total usage of an account by day, model or key',
    positionals: [account],
    options: {
      by: { ...text('GROUP', 'Grouping of the totals (default day)'), choices: ['day', 'model', 'key'] },
      from: text('TIME', 'Start time, ISO 8601, in whole hours (default: the first entry)'),
      to: text('TIME', 'End time, ISO 8601, exclusive (default: now)'),
      ...listOptions,
      ...clientOptions,
    },
    load: async () => (await import('./ledger-commands.ts')).showUsage,
  },
  {
    name: 'account ledger',
    summary: 'Lists the ledger entries of an account, newest first',
    positionals: [account],
    options: { ...pageOptions, ...listOptions, ...clientOptions },
    load: async () => (await import('./ledger-commands.ts')).listLedger,
  },
  {
    name: 'ledger show',
    summary: 'Shows a ledger entry, for example the receipt of a request',
    positionals: [{ name: 'ID', summary: 'Id of the entry or of its request' }],
    options: clientOptions,
    load: async () => (await import('./ledger-commands.ts')).showEntry,
  },
  {
    name: 'ledger verify',
    summary:
      'Recomputes all balances from the ledger entries and reports differences, with or without a running server',
    options: {
      'database-url': text(
        'URL',
        'Postgres database to verify directly (default: DATABASE_URL, unless --data or --url is given)',
      ),
      ...clientOptions,
    },
    load: async () => (await import('./verify-ledger-command.ts')).verify,
  },
  {
    name: 'ledger inspect',
    summary: 'Lists the faults in the ledger of an account and shows whether it is in quarantine',
    positionals: [account],
    options: clientOptions,
    load: async () => (await import('./repair-ledger-command.ts')).inspect,
  },
  {
    name: 'ledger repair',
    summary: 'Recomputes the balances of an account from its entries and ends its quarantine',
    positionals: [
      {
        ...account,
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
    load: async () => (await import('./repair-ledger-command.ts')).repair,
  },
  {
    name: 'ledger archive',
    summary: 'Moves ledger entries of closed months into compressed files, with or without a running server',
    options: {
      before: text('MONTH', 'Month in UTC, for example 2026-10; entries from before it are moved; required'),
      ...clientOptions,
    },
    load: async () => (await import('./archive-ledger-command.ts')).archive,
  },
  {
    name: 'key create',
    summary: 'Creates an API key and prints it; the key is shown only once',
    positionals: [account],
    options: {
      name: text('NAME', 'Name of the key'),
      payg: { kind: 'flag', summary: 'Requests with this key use pay-as-you-go mode by default' },
      'monthly-cap': {
        kind: 'number',
        minimum: 0,
        maximum: MAX_USD,
        unit: 'USD',
        placeholder: 'USD',
        summary: 'Spending cap in a calendar month',
      },
      allow: {
        kind: 'list',
        placeholder: 'MODEL',
        summary: 'Model that the key may use (default: all models)',
      },
      person: text('ID', 'Member that the key belongs to'),
      tag: { kind: 'list', placeholder: 'TAG', summary: 'Tag of the requests with this key' },
      retries: {
        ...text('WHICH', 'Which repeated requests get the answer of the first one (default: none)'),
        choices: retriesChoices,
      },
      resumable: { kind: 'flag', summary: 'Streams can be read again from where they broke' },
      'expires-at': expiryOption,
      'requests-per-min': {
        ...count,
        summary: 'Requests of the key in a minute (default: only the plan limits)',
      },
      'tokens-per-min': {
        ...count,
        summary: 'Tokens of the key in a minute (default: only the plan limits)',
      },
      concurrent: { ...count, summary: 'Requests of the key at a time (default: only the plan limits)' },
      ...clientOptions,
    },
    load: async () => (await import('./key-commands.ts')).createKey,
  },
  {
    name: 'key list',
    summary: 'Lists the API keys of an account',
    positionals: [account],
    options: { ...listOptions, ...clientOptions },
    load: async () => (await import('./key-commands.ts')).listKeys,
  },
  {
    name: 'key rotate',
    summary: 'Gives an API key a new secret and prints it; the key keeps its id and its settings',
    positionals: [{ name: 'KEY', summary: 'Id of the key' }],
    options: { ...rotationOptions, ...clientOptions },
    load: async () => (await import('./key-commands.ts')).rotateKey,
  },
  {
    name: 'key revoke',
    summary: 'Revokes an API key permanently',
    positionals: [{ name: 'KEY', summary: 'Id of the key' }],
    options: { yes: yesOption, ...clientOptions },
    load: async () => (await import('./key-commands.ts')).revokeKey,
  },
  {
    name: 'token create',
    summary: 'Creates an admin token and prints it; the token is shown only once',
    positionals: [{ name: 'NAME', summary: 'Name of the token in the audit log', optional: true }],
    options: {
      name: text('NAME', 'Same as NAME'),
      role: {
        ...text(
          'ROLE',
          'Role of the token; required. Only owners manage tokens, and read_only reads all but recorded content',
        ),
        choices: adminRoles,
      },
      'expires-at': expiryOption,
      ...clientOptions,
    },
    load: async () => (await import('./token-commands.ts')).createToken,
  },
  {
    name: 'token list',
    summary: 'Lists the admin tokens',
    options: { ...listOptions, ...clientOptions },
    load: async () => (await import('./token-commands.ts')).listTokens,
  },
  {
    name: 'token rotate',
    summary: 'Gives an admin token a new secret and prints it',
    positionals: [{ name: 'TOKEN', summary: 'Id of the token' }],
    options: { ...rotationOptions, ...clientOptions },
    load: async () => (await import('./token-commands.ts')).rotateToken,
  },
  {
    name: 'token revoke',
    summary: 'Revokes an admin token permanently',
    positionals: [{ name: 'TOKEN', summary: 'Id of the token' }],
    options: { yes: yesOption, ...clientOptions },
    load: async () => (await import('./token-commands.ts')).revokeToken,
  },
];

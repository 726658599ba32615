import { MOST_USD } from '../../settings/plans/amounts.ts';
import { planIds } from '../../settings/plans/plan.ts';
import { clientOptions } from './admin-client.ts';
import type { Command, Option, Positional } from './command.ts';
import { pageOptions } from './page-options.ts';

const account: Positional = { name: 'ACCOUNT', summary: 'Id of the account' };
const provider: Positional = { name: 'PROVIDER', summary: 'Id of the provider' };

const json: Option = { kind: 'flag', summary: 'Prints the result as JSON' };
const config: Option = {
  kind: 'text',
  placeholder: 'FILE',
  summary: 'The configuration (default: TOLLGATE_CONFIG, else built-in values)',
};
const port: Option = {
  kind: 'number',
  integer: true,
  minimum: 0,
  maximum: 65_535,
  summary: 'Port to listen on (default 8080)',
};
const host: Option = {
  kind: 'text',
  placeholder: 'ADDRESS',
  summary: 'Address to listen on (default 127.0.0.1)',
};
const data: Option = {
  kind: 'text',
  placeholder: 'DIR',
  summary: 'Where the embedded store lives (default: DATA_DIR, else ./data)',
};

const count = { kind: 'number', integer: true, minimum: 1 } as const;

/** All there is. Code is loaded when its command is run, so that a small one starts fast. */
export const commands: readonly Command[] = [
  {
    name: 'serve',
    summary: 'Runs the gateway',
    options: {
      config,
      port,
      host,
      data,
      workers: {
        kind: 'number',
        integer: true,
        minimum: 1,
        maximum: 256,
        summary: 'Processes that share the port (default 1)',
      },
    },
    load: async () => (await import('./serve-command.ts')).run,
  },
  {
    name: 'account create',
    summary: 'Creates an account',
    positionals: [{ name: 'NAME', summary: 'Who it is for', optional: true }],
    options: {
      name: { kind: 'text', placeholder: 'NAME', summary: 'The same as NAME' },
      email: { kind: 'text', placeholder: 'EMAIL', summary: 'Its email address' },
      plan: { kind: 'text', placeholder: 'PLAN', choices: planIds, summary: 'Its plan (default free)' },
      ...clientOptions,
    },
    load: async () => (await import('./account-commands.ts')).createAccount,
  },
  {
    name: 'account list',
    summary: 'Lists the accounts, oldest first',
    options: { ...pageOptions, ...clientOptions },
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
    summary: 'Puts an account on another plan: a dearer one at once, a cheaper one at the renewal',
    positionals: [account, { name: 'PLAN', summary: 'The plan', choices: planIds }],
    options: clientOptions,
    load: async () => (await import('./account-commands.ts')).setPlan,
  },
  {
    name: 'account suspend',
    summary: 'Stops an account until it is reopened',
    positionals: [account],
    options: clientOptions,
    load: async () => (await import('./account-commands.ts')).suspendAccount,
  },
  {
    name: 'account close',
    summary: 'Closes an account',
    positionals: [account],
    options: clientOptions,
    load: async () => (await import('./account-commands.ts')).closeAccount,
  },
  {
    name: 'account reopen',
    summary: 'Makes a suspended or closed account active again',
    positionals: [account],
    options: clientOptions,
    load: async () => (await import('./account-commands.ts')).reopenAccount,
  },
  {
    name: 'account grant',
    summary: "Adds to this cycle's credits",
    positionals: [account, { name: 'CREDITS', summary: 'How many' }],
    options: {
      reason: { kind: 'text', summary: 'Why, for the ledger' },
      ...clientOptions,
    },
    load: async () => (await import('./account-commands.ts')).grantCredits,
  },
  {
    name: 'account purchase',
    summary: 'Adds purchased credit',
    positionals: [
      account,
      { name: 'USD', summary: 'For how much, 2 to 1000 unless the configuration says otherwise' },
    ],
    options: clientOptions,
    load: async () => (await import('./account-commands.ts')).purchaseCredit,
  },
  {
    name: 'account usage',
    summary: "Adds up an account's usage",
    positionals: [account],
    options: {
      by: {
        kind: 'text',
        placeholder: 'WHAT',
        choices: ['day', 'model', 'key'],
        summary: 'A sum for each of these (default day)',
      },
      from: {
        kind: 'text',
        placeholder: 'TIME',
        summary: 'ISO 8601; whole hours count (default: the beginning)',
      },
      to: { kind: 'text', placeholder: 'TIME', summary: 'ISO 8601, not included (default: now)' },
      ...clientOptions,
    },
    load: async () => (await import('./ledger-commands.ts')).showUsage,
  },
  {
    name: 'account ledger',
    summary: "Lists an account's ledger, newest first",
    positionals: [account],
    options: { ...pageOptions, ...clientOptions },
    load: async () => (await import('./ledger-commands.ts')).listLedger,
  },
  {
    name: 'ledger show',
    summary: 'Shows the receipt of a request, or any other entry',
    positionals: [{ name: 'ID', summary: 'Id of the entry, or of its request' }],
    options: clientOptions,
    load: async () => (await import('./ledger-commands.ts')).showEntry,
  },
  {
    name: 'ledger verify',
    summary:
      'Recomputes every balance from its entries and says where they differ, of a running server or without one',
    options: clientOptions,
    load: async () => (await import('./verify-ledger-command.ts')).verify,
  },
  {
    name: 'ledger inspect',
    summary: "Lists the faults in an account's ledger, and says whether the account is in quarantine",
    positionals: [account],
    options: clientOptions,
    load: async () => (await import('./repair-ledger-command.ts')).inspect,
  },
  {
    name: 'ledger repair',
    summary: "Recomputes an account's balances from its entries, and ends its quarantine",
    positionals: [
      {
        ...account,
        optional: true,
        summary: 'Id of the account; without it, repairs what belongs to no account',
      },
    ],
    options: {
      yes: { kind: 'flag', summary: 'Confirms the repair; without it nothing is written' },
      'keep-balances': {
        kind: 'flag',
        summary: 'Keeps the remainder of each balance by an adjustment (default: the entries decide)',
      },
      ...clientOptions,
    },
    load: async () => (await import('./repair-ledger-command.ts')).repair,
  },
  {
    name: 'key create',
    summary: 'Creates an API key and prints it, this once',
    positionals: [account],
    options: {
      name: { kind: 'text', placeholder: 'NAME', summary: 'What it is for' },
      payg: { kind: 'flag', summary: 'Runs in pay-as-you-go mode without a header' },
      'monthly-cap': {
        kind: 'number',
        minimum: 0,
        maximum: MOST_USD,
        placeholder: 'USD',
        summary: 'Most that it may spend in a month',
      },
      allow: { kind: 'list', placeholder: 'MODEL', summary: 'Only this model (default: all)' },
      ...clientOptions,
    },
    load: async () => (await import('./key-commands.ts')).createKey,
  },
  {
    name: 'key list',
    summary: "Lists an account's API keys",
    positionals: [account],
    options: clientOptions,
    load: async () => (await import('./key-commands.ts')).listKeys,
  },
  {
    name: 'key revoke',
    summary: 'Revokes an API key for good',
    positionals: [{ name: 'KEY', summary: 'Id of the key' }],
    options: clientOptions,
    load: async () => (await import('./key-commands.ts')).revokeKey,
  },
  {
    name: 'catalog list',
    summary: 'Lists the models as served',
    options: {
      plan: {
        kind: 'text',
        placeholder: 'PLAN',
        choices: planIds,
        summary: 'Only those that begin with this plan',
      },
      kind: {
        kind: 'text',
        placeholder: 'KIND',
        choices: ['chat', 'embedding'],
        summary: 'Only those of this kind',
      },
      ...clientOptions,
    },
    load: async () => (await import('./catalog-commands.ts')).listModels,
  },
  {
    name: 'catalog show',
    summary: 'Shows a model',
    positionals: [{ name: 'MODEL', summary: 'Its id, or any other spelling' }],
    options: clientOptions,
    load: async () => (await import('./catalog-commands.ts')).showModel,
  },
  {
    name: 'catalog check',
    summary: 'Checks a catalog file and says line and field of what is wrong',
    positionals: [{ name: 'FILE', summary: 'A catalog, or a whole configuration' }],
    options: { config, json },
    load: async () => (await import('./catalog-commands.ts')).checkCatalog,
  },
  {
    name: 'config check',
    summary: 'Checks a configuration without starting and says line and field of what is wrong',
    positionals: [{ name: 'FILE', summary: 'The configuration (default: TOLLGATE_CONFIG)', optional: true }],
    options: { config: { ...config, summary: 'The same as FILE' }, json },
    load: async () => (await import('./config-commands.ts')).checkConfig,
  },
  {
    name: 'config schema',
    summary: "Prints the configuration's JSON Schema, for editors",
    options: {
      catalog: { kind: 'flag', summary: 'That of a catalog file instead' },
      json: { kind: 'flag', summary: 'Has no effect: the schema is JSON' },
    },
    load: async () => (await import('./config-commands.ts')).printSchema,
  },
  {
    name: 'provider list',
    summary: 'Lists the providers and how they are',
    options: clientOptions,
    load: async () => (await import('./provider-commands.ts')).listProviders,
  },
  {
    name: 'provider show',
    summary: 'Shows a provider',
    positionals: [provider],
    options: clientOptions,
    load: async () => (await import('./provider-commands.ts')).showProvider,
  },
  {
    name: 'provider drain',
    summary: 'Takes a provider out of routing',
    positionals: [provider],
    options: clientOptions,
    load: async () => (await import('./provider-commands.ts')).drainProvider,
  },
  {
    name: 'provider undrain',
    summary: 'Puts a provider back into routing',
    positionals: [provider],
    options: clientOptions,
    load: async () => (await import('./provider-commands.ts')).undrainProvider,
  },
  {
    name: 'batch list',
    summary: 'Lists the batches that are being run',
    options: { ...pageOptions, ...clientOptions },
    load: async () => (await import('./batch-commands.ts')).listBatches,
  },
  {
    name: 'batch show',
    summary: 'Shows a batch, how far it is and how long it is likely to take',
    positionals: [{ name: 'BATCH', summary: 'Id of the batch' }],
    options: { watch: { kind: 'flag', summary: 'Again every second until it has ended' }, ...clientOptions },
    load: async () => (await import('./batch-commands.ts')).showBatch,
  },
  {
    name: 'audit list',
    summary: 'Lists the changes that were made, newest first',
    options: { ...pageOptions, ...clientOptions },
    load: async () => (await import('./operation-commands.ts')).listAudit,
  },
  {
    name: 'reload',
    summary: 'Makes the server read its configuration again',
    options: clientOptions,
    load: async () => (await import('./operation-commands.ts')).reloadConfiguration,
  },
  {
    name: 'backup',
    summary: 'Copies the store of a data directory to a file, while a server runs or without one',
    positionals: [{ name: 'FILE', summary: 'The copy; it must not exist' }],
    options: { data, json },
    load: async () => (await import('./backup-command.ts')).backup,
  },
  {
    name: 'simulate',
    summary: 'Runs the simulator alone, as an upstream server',
    options: {
      port: { ...port, summary: 'Port to listen on (default 9001)' },
      host,
      'api-key': { kind: 'text', placeholder: 'KEY', summary: 'Asks for this key (default: takes any)' },
      'tokens-per-second': {
        kind: 'number',
        minimum: 0.001,
        placeholder: 'N',
        summary: 'Pace of its streams (default: as fast as possible)',
      },
      json: { kind: 'flag', summary: 'Prints the address as JSON' },
    },
    load: async () => (await import('./simulate-command.ts')).simulate,
  },
  {
    name: 'doctor',
    summary: 'Looks for what would keep a server from working, without a server, and says what to mend',
    options: { config, data, port, host, json },
    load: async () => (await import('./doctor/doctor-command.ts')).doctor,
  },
  {
    name: 'bench',
    summary: "Runs the project's own benchmark",
    options: {
      scenario: { kind: 'text', placeholder: 'LIST', summary: 'Only these: unary,stream,translated,models' },
      peers: {
        kind: 'text',
        placeholder: 'LIST',
        summary: 'Measured beside: haproxy,bare-bun,portkey (default: the first two)',
      },
      seconds: { ...count, summary: 'Seconds of load per measurement (default 3)' },
      rounds: { ...count, summary: 'Interleaved rounds (default 3)' },
      connections: { ...count, summary: 'Connections in a closed loop (default 32)' },
      'warm-up': { ...count, summary: 'Seconds of load before the first round (default 3)' },
      interval: { ...count, summary: 'Milliseconds between the events of a stream (default 2)' },
      out: { kind: 'text', placeholder: 'FILE', summary: 'Writes the JSON report to a file' },
      json,
    },
    load: async () => (await import('./bench-command.ts')).bench,
  },
];

import { adminRoles } from '../../api/operators/admin-token.ts';
import { MOST_USD } from '../../settings/plans/amounts.ts';
import { planIds } from '../../settings/plans/plan.ts';
import { clientOptions } from './admin-client.ts';
import { type Command, idKinds, type Option, type Positional } from './command.ts';
import { yesOption } from './confirm.ts';
import { pageOptions } from './page-options.ts';
import { listOptions } from './print-answer.ts';
import { requestFilterOptions } from './request-filters.ts';
import { expiryOption, rotationOptions } from './rotation-options.ts';

const account: Positional = { name: 'ACCOUNT', summary: 'Id or name of the account', ids: 'accounts' };
const provider: Positional = { name: 'PROVIDER', summary: 'Id of the provider', ids: 'providers' };

const json: Option = { kind: 'flag', summary: 'Prints the result as JSON' };
const config: Option = {
  kind: 'text',
  placeholder: 'FILE',
  summary: 'Configuration file (default: TOLLGATE_CONFIG, or no file and all defaults)',
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
  summary: 'Directory of the embedded store (default: DATA_DIR, or ./data)',
};

const count = { kind: 'number', integer: true, minimum: 1 } as const;

/** All commands. The code of a command is loaded when it runs, so that small commands start fast. */
export const commands: readonly Command[] = [
  {
    name: 'serve',
    summary: 'Starts the gateway',
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
        unit: 'processes',
        summary: 'Processes that share the port (default 1)',
      },
    },
    load: async () => (await import('./serve-command.ts')).run,
  },
  {
    name: 'account create',
    summary: 'Creates an account',
    positionals: [{ name: 'NAME', summary: 'Name of the account', optional: true }],
    options: {
      name: { kind: 'text', placeholder: 'NAME', summary: 'Same as NAME' },
      email: { kind: 'text', placeholder: 'EMAIL', summary: 'Email address of the account' },
      plan: {
        kind: 'text',
        placeholder: 'PLAN',
        choices: planIds,
        summary: 'Plan of the account (default free)',
      },
      ...clientOptions,
    },
    load: async () => (await import('./account-commands.ts')).createAccount,
  },
  {
    name: 'account list',
    summary: 'Lists the accounts, oldest first',
    options: { ...pageOptions, ...listOptions, ...clientOptions },
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
      by: {
        kind: 'text',
        placeholder: 'GROUP',
        choices: ['day', 'model', 'key'],
        summary: 'Grouping of the totals (default day)',
      },
      from: {
        kind: 'text',
        placeholder: 'TIME',
        summary: 'Start time, ISO 8601, in whole hours (default: the first entry)',
      },
      to: { kind: 'text', placeholder: 'TIME', summary: 'End time, ISO 8601, exclusive (default: now)' },
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
    options: clientOptions,
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
      before: {
        kind: 'text',
        placeholder: 'MONTH',
        summary: 'Month in UTC, for example 2026-10; entries from before it are moved; required',
      },
      ...clientOptions,
    },
    load: async () => (await import('./archive-ledger-command.ts')).archive,
  },
  {
    name: 'key create',
    summary: 'Creates an API key and prints it; the key is shown only once',
    positionals: [account],
    options: {
      name: { kind: 'text', placeholder: 'NAME', summary: 'Name of the key' },
      payg: { kind: 'flag', summary: 'Requests with this key use pay-as-you-go mode by default' },
      'monthly-cap': {
        kind: 'number',
        minimum: 0,
        maximum: MOST_USD,
        unit: 'USD',
        placeholder: 'USD',
        summary: 'Spending cap in a calendar month',
      },
      allow: {
        kind: 'list',
        placeholder: 'MODEL',
        summary: 'Model that the key may use (default: all models)',
      },
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
    summary: 'Gives an API key another secret and prints it; the id and the settings of the key stay',
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
      name: { kind: 'text', placeholder: 'NAME', summary: 'Same as NAME' },
      role: {
        kind: 'text',
        placeholder: 'ROLE',
        choices: adminRoles,
        summary: 'Role of the token; required. Only owners manage tokens, and read_only only reads',
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
    summary: 'Gives an admin token another secret and prints it',
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
  {
    name: 'catalog list',
    summary: 'Lists the models of the running server',
    options: {
      plan: {
        kind: 'text',
        placeholder: 'PLAN',
        choices: planIds,
        summary: 'Lists only models whose cheapest plan is PLAN',
      },
      kind: {
        kind: 'text',
        placeholder: 'KIND',
        choices: ['chat', 'embedding'],
        summary: 'Lists only models of this kind',
      },
      ...listOptions,
      ...clientOptions,
    },
    load: async () => (await import('./catalog-commands.ts')).listModels,
  },
  {
    name: 'catalog show',
    summary: 'Shows a model',
    positionals: [{ name: 'MODEL', summary: 'Id or alias of the model', ids: 'models' }],
    options: clientOptions,
    load: async () => (await import('./catalog-commands.ts')).showModel,
  },
  {
    name: 'catalog check',
    summary: 'Checks a catalog file and reports problems with line and field',
    positionals: [{ name: 'FILE', summary: 'Catalog file or configuration file' }],
    options: { config, json },
    load: async () => (await import('./catalog-commands.ts')).checkCatalog,
  },
  {
    name: 'config check',
    summary: 'Checks a configuration without starting a server and reports problems with line and field',
    positionals: [{ name: 'FILE', summary: 'Configuration file (default: TOLLGATE_CONFIG)', optional: true }],
    options: { config: { ...config, summary: 'Same as FILE' }, json },
    load: async () => (await import('./config-commands.ts')).checkConfig,
  },
  {
    name: 'config schema',
    summary: 'Prints the JSON Schema of the configuration, for editors',
    options: {
      catalog: { kind: 'flag', summary: 'Prints the schema of a catalog file instead' },
      json: { kind: 'flag', summary: 'Has no effect; the schema is always JSON' },
    },
    load: async () => (await import('./config-commands.ts')).printSchema,
  },
  {
    name: 'provider list',
    summary: 'Lists the providers with their health and load',
    options: { ...listOptions, ...clientOptions },
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
    summary: 'Takes a provider out of routing; requests in flight finish',
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
    name: 'requests list',
    summary: 'Lists the requests of all accounts, the latest first',
    options: {
      ...requestFilterOptions,
      until: {
        kind: 'text',
        placeholder: 'TIME',
        summary: 'Only requests that ended before this time, ISO 8601',
      },
      ...pageOptions,
      ...listOptions,
      ...clientOptions,
    },
    load: async () => (await import('./request-commands.ts')).listRequests,
  },
  {
    name: 'requests show',
    summary: 'Shows a request with its calls to providers and their errors',
    positionals: [{ name: 'ID', summary: 'Id of the request, as in the header x-svc-request-id' }],
    options: clientOptions,
    load: async () => (await import('./request-commands.ts')).showRequest,
  },
  {
    name: 'logs tail',
    summary: 'Prints the latest requests and then each further one, until it is interrupted',
    options: {
      ...requestFilterOptions,
      lines: { ...count, minimum: 0, unit: 'requests', summary: 'Earlier requests to print (default 10)' },
      count: { ...count, unit: 'requests', summary: 'Ends after this number of requests (default: never)' },
      interval: {
        kind: 'number',
        minimum: 0.1,
        maximum: 3_600,
        unit: 'seconds',
        summary: 'Seconds between two looks (default 1)',
      },
      ...clientOptions,
      json: { kind: 'flag', summary: 'Prints each request as a line of JSON' },
    },
    load: async () => (await import('./tail-command.ts')).tailRequests,
  },
  {
    name: 'models test',
    summary: 'Sends one small request to a model and shows who answered, how fast, and what it cost',
    positionals: [{ name: 'ID', summary: 'Id or alias of the model', ids: 'models' }],
    options: {
      key: {
        kind: 'text',
        placeholder: 'KEY',
        summary: 'API key that pays (default: TOLLGATE_API_KEY, or the first key of the data directory)',
      },
      account: {
        kind: 'text',
        placeholder: 'ACCOUNT',
        ids: 'accounts',
        summary: 'Account that pays, by id or name; the command creates a key and revokes it',
      },
      ...clientOptions,
    },
    load: async () => (await import('./test-model-command.ts')).testModel,
  },
  {
    name: 'batch list',
    summary: 'Lists the batches, newest first',
    options: {
      status: {
        kind: 'text',
        placeholder: 'STATUS',
        choices: ['in_progress', 'ended'],
        summary: 'Lists only batches in this state',
      },
      ...pageOptions,
      ...listOptions,
      ...clientOptions,
    },
    load: async () => (await import('./batch-commands.ts')).listBatches,
  },
  {
    name: 'batch show',
    summary: 'Shows a batch with its progress and the estimated time left',
    positionals: [{ name: 'BATCH', summary: 'Id of the batch', ids: 'batches' }],
    options: {
      watch: { kind: 'flag', summary: 'Refreshes every second until the batch ends' },
      ...clientOptions,
    },
    load: async () => (await import('./batch-commands.ts')).showBatch,
  },
  {
    name: 'alert list',
    summary: 'Lists the alerts with their deliveries to webhooks, newest first',
    options: { ...pageOptions, ...listOptions, ...clientOptions },
    load: async () => (await import('./alert-commands.ts')).listAlerts,
  },
  {
    name: 'alert test',
    summary: 'Sends a test alert to every webhook and shows the results',
    options: clientOptions,
    load: async () => (await import('./alert-commands.ts')).testAlerts,
  },
  {
    name: 'audit list',
    summary: 'Lists the entries of the audit log, newest first',
    options: {
      actor: { kind: 'text', placeholder: 'ACTOR', summary: 'Only changes by this actor' },
      action: {
        kind: 'text',
        placeholder: 'ACTION',
        summary: 'Only changes of this kind, for example key-revoke',
      },
      target: { kind: 'text', placeholder: 'ID', summary: 'Only changes of the object with this id' },
      since: { kind: 'text', placeholder: 'TIME', summary: 'Only changes at or after this time, ISO 8601' },
      ...pageOptions,
      ...listOptions,
      ...clientOptions,
    },
    load: async () => (await import('./operation-commands.ts')).listAudit,
  },
  {
    name: 'reload',
    summary: 'Reloads the configuration of the server',
    options: clientOptions,
    load: async () => (await import('./operation-commands.ts')).reloadConfiguration,
  },
  {
    name: 'profile add',
    summary: 'Saves the address of a remote server under a name, for --profile',
    positionals: [
      { name: 'NAME', summary: 'Name of the profile; an existing one is replaced' },
      { name: 'URL', summary: 'Address of the server' },
    ],
    options: {
      'admin-token': { kind: 'text', placeholder: 'TOKEN', summary: 'Admin token to save' },
      'token-file': {
        kind: 'text',
        placeholder: 'FILE',
        summary: 'File with the admin token to save, for example /dev/stdin',
      },
      'token-variable': {
        kind: 'text',
        placeholder: 'VARIABLE',
        summary: 'Environment variable that has the token (default: TOLLGATE_ADMIN_TOKEN)',
      },
      json,
    },
    load: async () => (await import('./profile-commands.ts')).addProfile,
  },
  {
    name: 'profile list',
    summary: 'Lists the profiles, without their tokens',
    options: { ...listOptions, json },
    load: async () => (await import('./profile-commands.ts')).listProfiles,
  },
  {
    name: 'profile remove',
    summary: 'Deletes a profile and its token',
    positionals: [{ name: 'NAME', summary: 'Name of the profile', ids: 'profiles' }],
    options: { json },
    load: async () => (await import('./profile-commands.ts')).removeProfile,
  },
  {
    name: 'completion',
    summary: 'Prints the completion for a shell',
    positionals: [{ name: 'SHELL', summary: 'The shell', choices: ['bash', 'zsh', 'fish'], optional: true }],
    options: {
      ids: {
        kind: 'text',
        placeholder: 'KIND',
        choices: idKinds,
        summary: 'Prints the ids that the completion offers, one on a line',
      },
      ...clientOptions,
      json: { kind: 'flag', summary: 'Has no effect; the output is a script or a list' },
    },
    load: async () => (await import('./completion-command.ts')).completionOf(commands),
  },
  {
    name: 'backup',
    summary: 'Copies a data directory to a new directory, with or without a running server',
    positionals: [{ name: 'DIR', summary: 'Directory to create; it must not exist' }],
    options: { data, json },
    load: async () => (await import('./backup-command.ts')).backup,
  },
  {
    name: 'restore',
    summary: 'Verifies a backup and copies it into an empty data directory',
    positionals: [{ name: 'DIR', summary: 'Directory that `backup` created' }],
    options: {
      data,
      'accept-faults': {
        kind: 'flag',
        summary: 'Restores a ledger with faults, for example to repair it (default: refuse)',
      },
      json,
    },
    load: async () => (await import('./restore-command.ts')).restore,
  },
  {
    name: 'simulate',
    summary: 'Runs the simulator as a separate upstream server',
    options: {
      port: { ...port, summary: 'Port to listen on (default 9001)' },
      host,
      'api-key': {
        kind: 'text',
        placeholder: 'KEY',
        summary: 'Key that requests must carry (default: any key is accepted)',
      },
      'tokens-per-second': {
        kind: 'number',
        minimum: 0.001,
        unit: 'tokens per second',
        placeholder: 'N',
        summary: 'Tokens per second of a stream (default: no limit)',
      },
      json: { kind: 'flag', summary: 'Prints the address as JSON' },
    },
    load: async () => (await import('./simulate-command.ts')).simulate,
  },
  {
    name: 'doctor',
    summary:
      'Checks the configuration and the machine for problems and suggests fixes; with a running server, checks that server',
    options: {
      live: {
        kind: 'flag',
        summary: "Tries each provider's key with its cheapest call, which can cost a token",
      },
      config,
      port,
      host,
      ...clientOptions,
      data,
      json,
    },
    load: async () => (await import('./doctor/doctor-command.ts')).doctor,
  },
  {
    name: 'bench',
    summary: 'Runs the benchmark of the project',
    options: {
      scenario: {
        kind: 'text',
        placeholder: 'LIST',
        summary: 'Scenarios to run: unary,stream,translated,models (default: all)',
      },
      peers: {
        kind: 'text',
        placeholder: 'LIST',
        summary: 'Systems to compare with: haproxy,bare-bun,portkey (default: the first two)',
      },
      seconds: { ...count, unit: 'seconds', summary: 'Seconds of load per measurement (default 3)' },
      rounds: { ...count, unit: 'rounds', summary: 'Number of interleaved rounds (default 3)' },
      connections: {
        ...count,
        unit: 'connections',
        summary: 'Number of connections in a closed loop (default 32)',
      },
      'warm-up': { ...count, unit: 'seconds', summary: 'Seconds of load before the first round (default 3)' },
      interval: {
        ...count,
        unit: 'milliseconds',
        summary: 'Milliseconds between the events of a stream (default 2)',
      },
      out: { kind: 'text', placeholder: 'FILE', summary: 'Writes the JSON report to a file' },
      json,
    },
    load: async () => (await import('./bench-command.ts')).bench,
  },
];

import { planIds } from '../../settings/plans/plan.ts';
import { modelKinds } from '../../translation/canonical/model-kind.ts';
import { planClasses } from '../../upstream/capacity/plan-class.ts';
import { clientOptions } from './admin-client.ts';
import type { Command } from './command.ts';
import { config, count, json, provider } from './command-options.ts';
import { yesOption } from './confirm.ts';
import { pageOptions } from './page-options.ts';
import { listOptions } from './print-answer.ts';
import { requestFilterOptions } from './request-filters.ts';
import { trafficCommand } from './traffic-command-row.ts';

/** The commands that show and manage a running server. */
export const serverCommands: readonly Command[] = [
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
        choices: modelKinds,
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
    summary: 'Checks a catalog, and lists unconfirmed prices and future price changes',
    positionals: [
      {
        name: 'FILE',
        summary: 'Catalog file or configuration file (default: the configuration, or the default catalog)',
        optional: true,
      },
    ],
    options: {
      sdks: {
        kind: 'flag',
        summary: 'Prints the model ids of the installed SDKs that the catalog does not resolve',
      },
      config,
      json,
    },
    load: async () => (await import('./catalog-commands.ts')).checkCatalog,
  },
  {
    name: 'catalog update',
    summary: 'Writes the prices of a price file to the configuration, and prints what changes',
    positionals: [{ name: 'FILE', summary: 'Price file or its URL, YAML or JSON' }],
    options: {
      'dry-run': { kind: 'flag', summary: 'Prints the changes only' },
      unsigned: {
        kind: 'flag',
        summary: 'Accepts a URL without a signature while catalog.price_keys is empty',
      },
      config: { ...config, summary: 'Configuration file to change (default: TOLLGATE_CONFIG)' },
      yes: yesOption,
      ...clientOptions,
    },
    load: async () => (await import('./catalog/update-prices.ts')).updatePrices,
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
    name: 'nodes',
    summary: 'Lists the processes that serve, with their versions and configurations',
    options: { ...listOptions, ...clientOptions },
    load: async () => (await import('./node-commands.ts')).listNodes,
  },
  {
    name: 'queue',
    summary: 'Shows the requests that wait for a slot at a provider',
    options: {
      class: {
        kind: 'text',
        placeholder: 'CLASS',
        choices: planClasses,
        summary: 'Only requests of this class',
      },
      provider: { kind: 'text', placeholder: 'ID', summary: 'Only requests that wait for this provider' },
      account: { kind: 'text', placeholder: 'ID', summary: 'Only requests of this account' },
      limit: pageOptions.limit,
      ...listOptions,
      ...clientOptions,
    },
    load: async () => (await import('./queue-command.ts')).showQueue,
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
    name: 'refusals list',
    summary: 'Lists the learned refusals: optional parameters that providers refused',
    options: { ...listOptions, ...clientOptions },
    load: async () => (await import('./refusal-commands.ts')).listRefusals,
  },
  {
    name: 'refusals forget',
    summary: 'Forgets the learned refusals, so the gateway sends the parameters again',
    options: clientOptions,
    load: async () => (await import('./refusal-commands.ts')).forgetRefusals,
  },
  {
    name: 'refusals causes',
    summary: 'Lists the refused requests by cause, with what ends them',
    options: {
      account: { kind: 'text', placeholder: 'ID', summary: 'Only requests of this account' },
      from: {
        kind: 'text',
        placeholder: 'TIME',
        summary: 'From this hour on, ISO 8601 (default: a day ago)',
      },
      to: { kind: 'text', placeholder: 'TIME', summary: 'Until this hour, ISO 8601 (default: now)' },
      ...listOptions,
      ...clientOptions,
    },
    load: async () => (await import('./refusal-commands.ts')).listCauses,
  },
  {
    name: 'faults',
    summary: 'Lists the faults of providers, with their reason and remedy',
    options: {
      ended: { kind: 'flag', summary: 'Also lists faults that have ended' },
      ...listOptions,
      ...clientOptions,
    },
    load: async () => (await import('./fault-command.ts')).listFaults,
  },
  trafficCommand,
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
    summary: 'Prints the latest requests and then each new one, until it is interrupted',
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
    summary: 'Sends one small request to a model and shows the model that answered, the time and the cost',
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
      until: { kind: 'text', placeholder: 'TIME', summary: 'Only changes at or before this time, ISO 8601' },
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
];

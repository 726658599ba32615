import { operatorColumns, statusClasses } from '../../console/traffic/traffic-choices.ts';
import { requestSources } from '../../watch/requests/request-source.ts';
import { namedIntervals } from '../../watch/traffic/choose-span.ts';
import { clientOptions } from './client-options.ts';
import type { Command } from './command.ts';
import { countOption, textOption } from './option-kinds.ts';
import { pageOptions } from './page-options.ts';
import { listOptions } from './print-answer.ts';
import { requestFilterOptions } from './request-filters.ts';

const requests = () => import('./request-commands.ts');
const batches = () => import('./batch-commands.ts');

/** The commands that show requests and batches, and send a request. */
export const requestCommandsTable: readonly Command[] = [
  {
    name: 'traffic',
    summary: 'Sums the requests, errors, latencies, tokens and money of all accounts by interval',
    options: {
      from: textOption('TIME', 'First time, ISO 8601 (default: a day before --to)'),
      to: textOption('TIME', 'Time after the last, ISO 8601 (default: now)'),
      interval: {
        ...textOption('LENGTH', 'Length of an interval (default: the span in at most 120 intervals)'),
        choices: namedIntervals,
      },
      'group-by': {
        ...textOption('COLUMN', 'Column that distinguishes the groups'),
        choices: operatorColumns,
      },
      provider: textOption('ID', 'Only requests that this provider answered, and its calls'),
      model: { ...textOption('MODEL', 'Only requests that this model answered'), ids: 'models' },
      account: { ...textOption('ACCOUNT', 'Only requests of this account, by id or name'), ids: 'accounts' },
      key: textOption('ID', 'Only requests with this API key'),
      status: { ...textOption('CLASS', 'Only answers of this class'), choices: statusClasses },
      node: textOption('ID', 'Only requests of this node'),
      source: { ...textOption('SOURCE', 'Only requests from here'), choices: requestSources },
      empty: { kind: 'flag', summary: 'Also prints intervals without requests' },
      ...listOptions,
      ...clientOptions,
    },
    examples: [
      'traffic --group-by model',
      'traffic --account "Ada Lovelace" --from 2026-11-21T00:00:00Z --interval 1d',
    ],
    load: async () => (await import('./show-traffic.ts')).showTraffic,
  },
  {
    name: 'requests list',
    summary: 'Lists the requests of all accounts, the latest first',
    options: {
      ...requestFilterOptions,
      until: textOption('TIME', 'Only requests that ended before this time, ISO 8601'),
      ...pageOptions,
      ...listOptions,
      ...clientOptions,
    },
    examples: [
      'requests list --status 5xx',
      'requests list --account acct_123 --since 2026-11-22T10:00:00Z --csv',
    ],
    load: async () => (await requests()).listRequests,
  },
  {
    name: 'requests show',
    summary: 'Shows a request with its calls to providers and their errors',
    positionals: [{ name: 'ID', summary: 'Id of the request, as in the header x-svc-request-id' }],
    options: clientOptions,
    examples: ['requests show req_123'],
    load: async () => (await requests()).showRequest,
  },
  {
    name: 'logs tail',
    summary: 'Prints the latest requests and then each new one, until it is interrupted',
    options: {
      ...requestFilterOptions,
      lines: {
        ...countOption,
        minimum: 0,
        maximum: pageOptions.limit.maximum,
        unit: 'requests',
        summary: 'Earlier requests to print (default 10)',
      },
      count: {
        ...countOption,
        unit: 'requests',
        summary: 'Ends after this number of requests (default: never)',
      },
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
    examples: ['logs tail --status 5xx', 'logs tail --account "Ada Lovelace" --json'],
    load: async () => (await import('./tail-requests.ts')).tailRequests,
  },
  {
    name: 'models test',
    summary: 'Sends one small request to a model and shows the model that answered, the time and the cost',
    positionals: [{ name: 'ID', summary: 'Id or alias of the model', ids: 'models' }],
    options: {
      key: textOption(
        'KEY',
        'API key that pays (default: TOLLGATE_API_KEY, or the first key of the data directory)',
      ),
      account: {
        ...textOption(
          'ACCOUNT',
          'Account that pays, by id or name; the command creates a key and revokes it',
        ),
        ids: 'accounts',
      },
      ...clientOptions,
    },
    examples: ['models test @svc/gpt-oss-120b', 'models test @svc/gpt-oss-120b --account acct_123'],
    load: async () => (await import('./test-model/test-model.ts')).testModel,
  },
  {
    name: 'batch list',
    summary: 'Lists the batches, newest first',
    options: {
      status: {
        ...textOption('STATUS', 'Lists only batches in this state'),
        choices: ['in_progress', 'ended'],
      },
      ...pageOptions,
      ...listOptions,
      ...clientOptions,
    },
    examples: ['batch list --status in_progress'],
    load: async () => (await batches()).listBatches,
  },
  {
    name: 'batch show',
    summary: 'Shows a batch with its progress and the estimated time left',
    positionals: [{ name: 'BATCH', summary: 'Id of the batch', ids: 'batches' }],
    options: {
      watch: { kind: 'flag', summary: 'Refreshes every second until the batch ends' },
      ...clientOptions,
    },
    examples: ['batch show batch_123 --watch'],
    load: async () => (await batches()).showBatch,
  },
];

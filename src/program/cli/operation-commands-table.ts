import { clientOptions } from './client-options.ts';
import type { Command } from './command.ts';
import { textOption } from './option-kinds.ts';
import { pageOptions } from './page-options.ts';
import { listOptions } from './print-answer.ts';

const alerts = () => import('./alert-commands.ts');
const operations = () => import('./operation-commands.ts');

/** The commands for alerts, the audit log and reloads. */
export const operationCommandsTable: readonly Command[] = [
  {
    name: 'alert list',
    summary: 'Lists the alerts with their deliveries to webhooks, newest first',
    options: { ...pageOptions, ...listOptions, ...clientOptions },
    examples: ['alert list', 'alert list --jsonl'],
    load: async () => (await alerts()).listAlerts,
  },
  {
    name: 'alert test',
    summary: 'Sends a test alert to every webhook and shows the results',
    options: clientOptions,
    examples: ['alert test'],
    load: async () => (await alerts()).testAlerts,
  },
  {
    name: 'audit list',
    summary: 'Lists the entries of the audit log, newest first',
    options: {
      actor: textOption('ACTOR', 'Only changes by this actor'),
      action: textOption('ACTION', 'Only changes of this kind, for example key-revoke'),
      target: textOption('ID', 'Only changes of the object with this id'),
      since: textOption('TIME', 'Only changes at or after this time, ISO 8601'),
      until: textOption('TIME', 'Only changes at or before this time, ISO 8601'),
      ...pageOptions,
      ...listOptions,
      ...clientOptions,
    },
    examples: ['audit list --target acct_123', 'audit list --action key-revoke --since 2026-11-01 --jsonl'],
    load: async () => (await operations()).listAudit,
  },
  {
    name: 'reload',
    summary: 'Reloads the configuration of the server',
    options: clientOptions,
    examples: ['reload'],
    load: async () => (await operations()).reloadConfiguration,
  },
];

import { planClasses } from '../../upstream/capacity/plan-class.ts';
import { clientOptions } from './client-options.ts';
import type { Command } from './command.ts';
import { providerPositional } from './command-options.ts';
import { textOption } from './option-kinds.ts';
import { pageOptions } from './page-options.ts';
import { listOptions } from './print-answer.ts';

const providers = () => import('./provider-commands.ts');
const refusals = () => import('./refusal-commands.ts');

/** The commands that show the processes of a server and its providers, with what providers refuse. */
export const providerCommandsTable: readonly Command[] = [
  {
    name: 'nodes',
    summary: 'Lists the processes that serve, with their versions and configurations',
    options: { ...listOptions, ...clientOptions },
    examples: ['nodes'],
    load: async () => (await import('./list-nodes.ts')).listNodes,
  },
  {
    name: 'queue',
    summary: 'Shows the requests that wait for a slot at a provider',
    options: {
      class: { ...textOption('CLASS', 'Only requests of this class'), choices: planClasses },
      provider: textOption('ID', 'Only requests that wait for this provider'),
      account: textOption('ID', 'Only requests of this account'),
      limit: pageOptions.limit,
      ...listOptions,
      ...clientOptions,
    },
    examples: ['queue', 'queue --class paid --provider openai'],
    load: async () => (await import('./show-queue.ts')).showQueue,
  },
  {
    name: 'provider list',
    summary: 'Lists the providers with their health and load',
    options: { ...listOptions, ...clientOptions },
    examples: ['provider list'],
    load: async () => (await providers()).listProviders,
  },
  {
    name: 'provider show',
    summary: 'Shows a provider',
    positionals: [providerPositional],
    options: clientOptions,
    examples: ['provider show openai'],
    load: async () => (await providers()).showProvider,
  },
  {
    name: 'provider drain',
    summary: 'Takes a provider out of routing; requests in flight finish',
    positionals: [providerPositional],
    options: clientOptions,
    examples: ['provider drain openai'],
    load: async () => (await providers()).drainProvider,
  },
  {
    name: 'provider undrain',
    summary: 'Puts a provider back into routing',
    positionals: [providerPositional],
    options: clientOptions,
    examples: ['provider undrain openai'],
    load: async () => (await providers()).undrainProvider,
  },
  {
    name: 'refusals list',
    summary: 'Lists the learned refusals: optional parameters that providers refused',
    options: { ...listOptions, ...clientOptions },
    examples: ['refusals list'],
    load: async () => (await refusals()).listRefusals,
  },
  {
    name: 'refusals forget',
    summary: 'Forgets the learned refusals, so the gateway sends the parameters again',
    options: clientOptions,
    examples: ['refusals forget'],
    load: async () => (await refusals()).forgetRefusals,
  },
  {
    name: 'refusals causes',
    summary: 'Lists the refused requests by cause, with what ends them',
    options: {
      account: textOption('ID', 'Only requests of this account'),
      from: textOption('TIME', 'From this hour on, ISO 8601 (default: a day ago)'),
      to: textOption('TIME', 'Until this hour, ISO 8601 (default: now)'),
      ...listOptions,
      ...clientOptions,
    },
    examples: ['refusals causes --account acct_123'],
    load: async () => (await refusals()).listCauses,
  },
  {
    name: 'faults',
    summary: 'Lists the faults of providers, with their reason and remedy',
    options: {
      ended: { kind: 'flag', summary: 'Also lists faults that have ended' },
      ...listOptions,
      ...clientOptions,
    },
    examples: ['faults', 'faults --ended --json'],
    load: async () => (await import('./list-faults.ts')).listFaults,
  },
];

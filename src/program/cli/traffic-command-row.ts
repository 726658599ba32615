import { operatorColumns, statusClasses } from '../../console/traffic/traffic-choices.ts';
import { requestSources } from '../../watch/requests/request-source.ts';
import { namedIntervals } from '../../watch/traffic/choose-span.ts';
import { clientOptions } from './admin-client.ts';
import type { Command } from './command.ts';
import { listOptions } from './print-answer.ts';

const text = (placeholder: string, summary: string) => ({ kind: 'text', placeholder, summary }) as const;

/** The command that sums traffic. */
export const trafficCommand: Command = {
  name: 'traffic',
  summary: 'Sums the requests, errors, latencies, tokens and money of all accounts by interval',
  options: {
    from: text('TIME', 'First time, ISO 8601 (default: a day before --to)'),
    to: text('TIME', 'Time after the last, ISO 8601 (default: now)'),
    interval: {
      ...text('LENGTH', 'Length of an interval (default: the span in at most 120 intervals)'),
      choices: namedIntervals,
    },
    'group-by': { ...text('COLUMN', 'Column that distinguishes the groups'), choices: operatorColumns },
    provider: text('ID', 'Only requests that this provider answered, and its calls'),
    model: { ...text('MODEL', 'Only requests that this model answered'), ids: 'models' },
    account: { ...text('ACCOUNT', 'Only requests of this account, by id or name'), ids: 'accounts' },
    key: text('ID', 'Only requests with this API key'),
    status: { ...text('CLASS', 'Only answers of this class'), choices: statusClasses },
    node: text('ID', 'Only requests of this node'),
    source: { ...text('SOURCE', 'Only requests from here'), choices: requestSources },
    empty: { kind: 'flag', summary: 'Also prints intervals without requests' },
    ...listOptions,
    ...clientOptions,
  },
  load: async () => (await import('./traffic-command.ts')).showTraffic,
};

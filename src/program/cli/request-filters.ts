import { requestSources } from '../../watch/requests/request-source.ts';
import type { Option } from './command.ts';
import { findAccountNamed } from './find-account.ts';
import type { Invocation } from './invocation.ts';
import { textOption } from './option-kinds.ts';

/** The options that select requests. */
export const requestFilterOptions = {
  account: { ...textOption('ACCOUNT', 'Only requests of this account, by id or name'), ids: 'accounts' },
  key: textOption('ID', 'Only requests with this API key'),
  model: {
    ...textOption('MODEL', 'Only requests that named this model, or that it answered'),
    ids: 'models',
  },
  status: textOption('STATUS', 'Only this status, like 400, or this class, like 5xx'),
  tag: textOption('TAG', 'Only requests with this tag'),
  source: {
    ...textOption('SOURCE', 'Only requests of the API, of batches or of the playground'),
    choices: requestSources,
  },
  since: textOption('TIME', 'Only requests that ended at or after this time, ISO 8601'),
} as const satisfies Record<string, Option>;

/** Returns the filters that the command line gives, as parameters of the admin API. */
export async function requestFilters(invocation: Invocation) {
  const account = invocation.text('account');
  return {
    account: account === undefined ? undefined : await findAccountNamed(invocation, account),
    key: invocation.text('key'),
    model: invocation.text('model'),
    status: invocation.text('status'),
    tag: invocation.text('tag'),
    source: invocation.choice('source', requestSources),
    since: invocation.text('since'),
  };
}

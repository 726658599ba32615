import { requestSources } from '../../watch/requests/request-source.ts';
import type { Option } from './command.ts';
import { findAccountNamed } from './find-account.ts';
import type { Invocation } from './invocation.ts';

/** The options that select requests. */
export const requestFilterOptions = {
  account: {
    kind: 'text',
    placeholder: 'ACCOUNT',
    ids: 'accounts',
    summary: 'Only requests of this account, by id or name',
  },
  key: { kind: 'text', placeholder: 'ID', summary: 'Only requests with this API key' },
  model: {
    kind: 'text',
    placeholder: 'MODEL',
    ids: 'models',
    summary: 'Only requests that named this model, or that it answered',
  },
  status: {
    kind: 'text',
    placeholder: 'STATUS',
    summary: 'Only this status, like 400, or this class, like 5xx',
  },
  tag: { kind: 'text', placeholder: 'TAG', summary: 'Only requests with this tag' },
  source: {
    kind: 'text',
    placeholder: 'SOURCE',
    choices: requestSources,
    summary: 'Only requests of the API, of batches or of the playground',
  },
  since: {
    kind: 'text',
    placeholder: 'TIME',
    summary: 'Only requests that ended at or after this time, ISO 8601',
  },
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

import { type AdminAnswer, callAdmin } from './admin-client.ts';
import type { Run } from './command.ts';
import { field, printList } from './print-answer.ts';

const columns = [
  field('id'),
  field('class'),
  field('model'),
  field('account_id', 'account'),
  field('key_id', 'key'),
  { title: 'providers', cell: (row: AdminAnswer) => row.providers.join(' ') },
  field('position'),
  field('waited_ms', 'waited ms'),
  field('refused_at', 'refused at'),
  field('node'),
];

export const showQueue: Run = async (invocation) => {
  const filters: Record<string, string> = {};
  for (const name of ['class', 'provider', 'account']) {
    const value = invocation.text(name);
    if (value !== undefined) filters[name] = value;
  }
  const limit = invocation.number('limit');
  if (limit !== undefined) filters.limit = String(limit);
  const answer = await callAdmin(invocation, { path: `/queue${queryOf(filters)}` });
  // A queue changes while it is read, so it has no further pages.
  const shown = invocation.flag('json') ? answer : { ...answer, has_more: false };
  await printList(invocation, shown, { name: 'queue', columns });
  if (answer.has_more)
    invocation.terminal.remark(`${answer.data.length} of ${answer.total} queued requests are shown.`);
  return 0;
};

const queryOf = (filters: Record<string, string>): string => {
  const query = new URLSearchParams(filters);
  return query.size === 0 ? '' : `?${query}`;
};

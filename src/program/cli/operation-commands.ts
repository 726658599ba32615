import { type AdminAnswer, callAdmin } from './admin-client.ts';
import type { Run } from './command.ts';
import { pageQueryOf } from './page-options.ts';
import { field, printFields, printList } from './print-answer.ts';

const columns = [
  field('at'),
  field('actor'),
  field('action'),
  field('target'),
  { title: 'changed', cell: (row: AdminAnswer) => changedFields(row.before, row.after).join(' ') },
];

export const listAudit: Run = async (invocation) => {
  const filters: Record<string, string> = {};
  for (const name of ['actor', 'action', 'target', 'since', 'until']) {
    const value = invocation.text(name);
    if (value !== undefined) filters[name] = value;
  }
  const path = `/audit${pageQueryOf(invocation, filters)}`;
  await printList(invocation, await callAdmin(invocation, { path }), { name: 'audit', columns });
  return 0;
};

/** Lists the changed fields. The list is empty for a created or deleted object. */
function changedFields(before: AdminAnswer, after: AdminAnswer): string[] {
  if (before === null || after === null) return [];
  return Object.keys(after).filter((name) => JSON.stringify(before[name]) !== JSON.stringify(after[name]));
}

export const reloadConfiguration: Run = async (invocation) => {
  printFields(invocation, await callAdmin(invocation, { method: 'POST', path: '/reload' }));
  return 0;
};

import type { AdminItem } from '../../console/admin/admin-calls.ts';
import { callAdmin } from './admin-client.ts';
import type { Run } from './command.ts';
import type { Column } from './format-table.ts';
import { field, printList } from './print-answer.ts';

const columns: readonly Column<AdminItem<'GET /refusals'>>[] = [
  field('provider'),
  field('model'),
  field('member'),
  field('learned_at'),
  field('expires_at'),
  field('requests'),
  field('row'),
];

export const listRefusals: Run = async (invocation) => {
  const answer = await callAdmin(invocation, 'GET /refusals');
  await printList(invocation, answer, { key: 'GET /refusals', columns });
  return 0;
};

export const forgetRefusals: Run = async (invocation) => {
  const { forgotten } = await callAdmin(invocation, 'DELETE /refusals');
  invocation.terminal.print(`Forgot ${forgotten} ${forgotten === 1 ? 'refusal' : 'refusals'}.`);
  return 0;
};

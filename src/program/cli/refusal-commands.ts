import { counted } from '../../base/lib/counted.ts';
import type { AdminItem } from '../../console/admin/admin-calls.ts';
import { callAdmin } from './call-admin.ts';
import type { Run } from './command.ts';
import type { Column } from './format-table.ts';
import { field, printJson, printList } from './print-answer.ts';

type Row = AdminItem<'GET /refusals'>;
type Learned = Extract<Row, { member: string }>;
type Cause = Exclude<Row, Learned>;

const learnedColumns: readonly Column<Learned>[] = [
  field('provider'),
  field('model'),
  field('member'),
  field('learned_at'),
  field('expires_at'),
  field('requests'),
  field('row'),
];

const causeColumns: readonly Column<Cause>[] = [
  field('count'),
  field('code'),
  field('cause'),
  field('accounts'),
  field('last_at', 'last at'),
  field('remedy'),
  field('setting'),
];

const isLearned = (row: Row): row is Learned => 'member' in row;
const isCause = (row: Row): row is Cause => !isLearned(row);

export const listRefusals: Run = async (invocation) => {
  const answer = await callAdmin(invocation, 'GET /refusals', { query: { kind: 'learned' } });
  const data = answer.data.filter(isLearned);
  await printList(invocation, { ...answer, data }, { columns: learnedColumns });
  return 0;
};

export const listCauses: Run = async (invocation) => {
  const query = {
    kind: 'requests' as const,
    account: invocation.text('account'),
    from: invocation.text('from'),
    to: invocation.text('to'),
  };
  const answer = await callAdmin(invocation, 'GET /refusals', { query });
  const data = answer.data.filter(isCause);
  await printList(invocation, { ...answer, data }, { key: 'GET /refusals', columns: causeColumns });
  return 0;
};

export const forgetRefusals: Run = async (invocation) => {
  const answer = await callAdmin(invocation, 'DELETE /refusals');
  const { forgotten } = answer;
  if (invocation.flag('json')) printJson(invocation, answer);
  else invocation.terminal.print(`Forgot ${counted(forgotten, 'refusal')}.`);
  return 0;
};

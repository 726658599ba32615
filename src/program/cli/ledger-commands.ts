import type { AdminItem } from '../../console/admin/admin-calls.ts';
import { callAdmin } from './call-admin.ts';
import type { Run } from './command.ts';
import { findAccount } from './find-account.ts';
import type { Column } from './format-table.ts';
import { pageOf } from './page-options.ts';
import { field, printFields, printList } from './print-answer.ts';

const inCredits = (title: string): Column<{ microcredits: number }> => ({
  title,
  cell: ({ microcredits }) => microcredits / 1_000_000,
});

const entryColumns: readonly Column<AdminItem<'GET /accounts/{id}/ledger'>>[] = [
  field('at'),
  field('kind'),
  field('balance'),
  inCredits('credits'),
  field('model'),
  field('input_tokens', 'input'),
  field('output_tokens', 'output'),
  field('id'),
  field('reason'),
];

type Sum = AdminItem<'GET /accounts/{id}/usage'>;

const sumColumns: readonly Column<Sum>[] = [
  field('requests'),
  field('input_tokens', 'input'),
  field('cached_input_tokens', 'cached'),
  field('output_tokens', 'output'),
  inCredits('credits'),
];

export const listLedger: Run = async (invocation) => {
  const call = { params: { id: await findAccount(invocation) }, query: pageOf(invocation) };
  const answer = await callAdmin(invocation, 'GET /accounts/{id}/ledger', call);
  await printList(invocation, answer, { key: 'GET /accounts/{id}/ledger', columns: entryColumns });
  return 0;
};

export const showUsage: Run = async (invocation) => {
  const by = invocation.choice('by', ['day', 'model', 'key']) ?? 'day';
  const query = { by, from: invocation.text('from'), to: invocation.text('to') };
  const params = { id: await findAccount(invocation) };
  const answer = await callAdmin(invocation, 'GET /accounts/{id}/usage', { params, query });
  const group: Column<Sum> = { title: by, cell: (row) => row[by === 'key' ? 'key_id' : by] };
  await printList(invocation, answer, { key: 'GET /accounts/{id}/usage', columns: [group, ...sumColumns] });
  return 0;
};

export const showEntry: Run = async (invocation) => {
  const params = { id: invocation.required('ID') };
  printFields(invocation, await callAdmin(invocation, 'GET /ledger/entries/{id}', { params }));
  return 0;
};

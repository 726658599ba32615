import { callAdmin } from './admin-client.ts';
import type { Run } from './command.ts';
import { findAccount } from './find-account.ts';
import type { Invocation } from './invocation.ts';
import { pageQueryOf } from './page-options.ts';
import { field, printFields, printList } from './print-answer.ts';

const inCredits = (title: string) => ({
  title,
  cell: (row: { microcredits: number }) => row.microcredits / 1_000_000,
});

const entryColumns = [
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

const sumColumns = [
  field('requests'),
  field('input_tokens', 'input'),
  field('cached_input_tokens', 'cached'),
  field('output_tokens', 'output'),
  inCredits('credits'),
];

const accountPath = async (invocation: Invocation, rest: string): Promise<string> =>
  `/accounts/${encodeURIComponent(await findAccount(invocation))}${rest}`;

export const listLedger: Run = async (invocation) => {
  const path = await accountPath(invocation, `/ledger${pageQueryOf(invocation)}`);
  await printList(invocation, await callAdmin(invocation, { path }), {
    name: 'entries',
    columns: entryColumns,
  });
  return 0;
};

export const showUsage: Run = async (invocation) => {
  const query = new URLSearchParams();
  const by = invocation.text('by') ?? 'day';
  query.set('by', by);
  for (const name of ['from', 'to']) {
    const time = invocation.text(name);
    if (time !== undefined) query.set(name, time);
  }
  const answer = await callAdmin(invocation, { path: await accountPath(invocation, `/usage?${query}`) });
  const columns = [field(by === 'key' ? 'key_id' : by, by), ...sumColumns];
  await printList(invocation, answer, { name: 'usage', columns });
  return 0;
};

export const showEntry: Run = async (invocation) => {
  const path = `/ledger/entries/${encodeURIComponent(invocation.positional('ID')!)}`;
  printFields(invocation, await callAdmin(invocation, { path }));
  return 0;
};

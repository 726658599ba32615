import { callAdmin } from './admin-client.ts';
import type { Run } from './command.ts';
import { confirm } from './confirm.ts';
import { findAccount } from './find-account.ts';
import { field, printFields, printJson, printList } from './print-answer.ts';

const columns = [
  field('id'),
  field('hint', 'begins with'),
  field('name'),
  field('payg'),
  field('monthly_cap_usd', 'monthly cap usd'),
  {
    title: 'models',
    cell: (row: { allowed_models: string[] | null }) => row.allowed_models?.join(' ') ?? 'all',
  },
  field('created_at', 'created'),
  field('revoked_at', 'revoked'),
];

export const createKey: Run = async (invocation) => {
  const name = invocation.text('name');
  const monthlyCapUsd = invocation.number('monthly-cap');
  const allowedModels = invocation.list('allow');
  const body = {
    ...(name !== undefined && { name }),
    ...(invocation.flag('payg') && { payg: true }),
    ...(monthlyCapUsd !== undefined && { monthly_cap_usd: monthlyCapUsd }),
    ...(allowedModels !== undefined && { allowed_models: allowedModels }),
  };
  const path = `/accounts/${encodeURIComponent(await findAccount(invocation))}/keys`;
  const created = await callAdmin(invocation, { method: 'POST', path, body });
  if (invocation.flag('json')) printJson(invocation, created);
  // Standard output has the key only, so that it can be piped.
  else {
    invocation.terminal.print(created.key);
    invocation.terminal.remark(`${created.id}: the key is shown only once.`);
  }
  return 0;
};

export const listKeys: Run = async (invocation) => {
  const path = `/accounts/${encodeURIComponent(await findAccount(invocation))}/keys`;
  printList(invocation, await callAdmin(invocation, { path }), columns);
  return 0;
};

export const revokeKey: Run = async (invocation) => {
  const key = invocation.positional('KEY')!;
  await confirm(invocation, `Revoke the key ${key}? This cannot be undone.`);
  const path = `/keys/${encodeURIComponent(key)}`;
  printFields(invocation, await callAdmin(invocation, { method: 'DELETE', path }));
  return 0;
};

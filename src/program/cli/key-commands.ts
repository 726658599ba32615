import type { AdminItem } from '../../console/admin/admin-calls.ts';
import { retriesChoices } from '../../money/accounts/api-key.ts';
import { callAdmin } from './admin-client.ts';
import type { Run } from './command.ts';
import { confirm } from './confirm.ts';
import { findAccount } from './find-account.ts';
import type { Column } from './format-table.ts';
import type { Invocation } from './invocation.ts';
import { field, printFields, printList } from './print-answer.ts';
import { printSecret } from './print-secret.ts';
import { rotationOf } from './rotation-options.ts';

/** The option, the member of `limits`, and its unit in a table. */
const LIMITS = [
  ['requests-per-min', 'requests_per_min', '/min'],
  ['tokens-per-min', 'tokens_per_min', ' tokens/min'],
  ['concurrent', 'concurrent', ' at a time'],
] as const;

const columns: readonly Column<AdminItem<'GET /accounts/{id}/keys'>>[] = [
  field('id'),
  field('hint', 'begins with'),
  field('name'),
  field('payg'),
  field('monthly_cap_usd', 'monthly cap usd'),
  {
    title: 'models',
    cell: (row) => row.allowed_models?.join(' ') ?? 'all',
  },
  {
    title: 'limits',
    cell: (row) =>
      LIMITS.flatMap(([, member, unit]) => (row.limits?.[member] ? `${row.limits[member]}${unit}` : [])).join(
        ' ',
      ),
  },
  field('retries'),
  field('created_at', 'created'),
  field('expires_at', 'expires'),
  field('revoked_at', 'revoked'),
];

export const createKey: Run = async (invocation) => {
  const name = invocation.text('name');
  const monthlyCapUsd = invocation.number('monthly-cap');
  const allowedModels = invocation.list('allow');
  const [personId, tags] = [invocation.text('person'), invocation.list('tag')];
  const expiresAt = invocation.text('expires-at');
  const retries = invocation.choice('retries', retriesChoices);
  const body = {
    ...(name !== undefined && { name }),
    ...(invocation.flag('payg') && { payg: true }),
    ...(monthlyCapUsd !== undefined && { monthly_cap_usd: monthlyCapUsd }),
    ...(allowedModels !== undefined && { allowed_models: allowedModels }),
    ...(personId !== undefined && { person_id: personId }),
    ...(tags !== undefined && { tags }),
    ...(retries !== undefined && { retries }),
    ...(invocation.flag('resumable') && { resumable: true }),
    ...(expiresAt !== undefined && { expires_at: expiresAt }),
    ...limitsOf(invocation),
  };
  const params = { id: await findAccount(invocation) };
  const created = await callAdmin(invocation, 'POST /accounts/{id}/keys', { params, body });
  printSecret(invocation, created, { noun: 'key', secret: created.key });
  return 0;
};

export const listKeys: Run = async (invocation) => {
  const params = { id: await findAccount(invocation) };
  const answer = await callAdmin(invocation, 'GET /accounts/{id}/keys', { params });
  await printList(invocation, answer, { key: 'GET /accounts/{id}/keys', columns });
  return 0;
};

/** Returns the limits that the options set. Without such an option it returns nothing. */
function limitsOf(invocation: Invocation) {
  const set = LIMITS.flatMap(([option, member]) => {
    const value = invocation.number(option);
    return value === undefined ? [] : [[member, value] as const];
  });
  return set.length === 0 ? {} : { limits: Object.fromEntries(set) };
}

export const rotateKey: Run = async (invocation) => {
  const call = { params: { id: invocation.positional('KEY')! }, body: rotationOf(invocation) };
  const rotated = await callAdmin(invocation, 'POST /keys/{id}/rotate', call);
  printSecret(invocation, rotated, { noun: 'key', secret: rotated.key });
  return 0;
};

export const revokeKey: Run = async (invocation) => {
  const id = invocation.positional('KEY')!;
  await confirm(invocation, `Revoke the key ${id}? This cannot be undone.`);
  printFields(invocation, await callAdmin(invocation, 'DELETE /keys/{id}', { params: { id } }));
  return 0;
};

import { definedOf } from '../../base/lib/records.ts';
import type { AdminItem } from '../../console/admin/admin-calls.ts';
import { retriesChoices } from '../../money/accounts/api-key.ts';
import { callAdmin } from './call-admin.ts';
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

type Key = AdminItem<'GET /accounts/{id}/keys'>;

const columns: readonly Column<Key>[] = [
  field('id'),
  field('hint', 'begins with'),
  field('name'),
  field('payg'),
  field('monthly_cap_usd', 'monthly cap usd'),
  { title: 'models', cell: (row) => row.allowed_models?.join(' ') ?? 'all' },
  { title: 'limits', cell: limitsText },
  field('retries'),
  field('created_at', 'created'),
  field('expires_at', 'expires'),
  field('revoked_at', 'revoked'),
];

function limitsText({ limits }: Key): string {
  const texts = LIMITS.flatMap(([, member, unit]) => (limits?.[member] ? `${limits[member]}${unit}` : []));
  return texts.join(' ');
}

export const createKey: Run = async (invocation) => {
  const body = definedOf({
    name: invocation.text('name'),
    payg: invocation.flag('payg') || undefined,
    monthly_cap_usd: invocation.number('monthly-cap'),
    allowed_models: invocation.list('allow'),
    person_id: invocation.text('person'),
    tags: invocation.list('tag'),
    retries: invocation.choice('retries', retriesChoices),
    resumable: invocation.flag('resumable') || undefined,
    expires_at: invocation.text('expires-at'),
    limits: limitsOf(invocation),
  });
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

/** Returns the limits that the options set, or undefined if there is no such option. */
function limitsOf(invocation: Invocation): Record<string, number> | undefined {
  const limits = LIMITS.flatMap(([option, member]) => {
    const value = invocation.number(option);
    return value === undefined ? [] : [[member, value] as const];
  });
  return limits.length === 0 ? undefined : Object.fromEntries(limits);
}

export const rotateKey: Run = async (invocation) => {
  const call = { params: { id: invocation.required('KEY') }, body: rotationOf(invocation) };
  const rotated = await callAdmin(invocation, 'POST /keys/{id}/rotate', call);
  printSecret(invocation, rotated, { noun: 'key', secret: rotated.key });
  return 0;
};

export const revokeKey: Run = async (invocation) => {
  const id = invocation.required('KEY');
  await confirm(invocation, `Revoke the key ${id}? This cannot be undone.`);
  printFields(invocation, await callAdmin(invocation, 'DELETE /keys/{id}', { params: { id } }));
  return 0;
};

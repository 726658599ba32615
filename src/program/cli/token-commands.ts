import type { AdminItem } from '../../console/admin/admin-calls.ts';
import { adminRoles } from '../../customers/operators/admin-token.ts';
import { callAdmin } from './call-admin.ts';
import type { Run } from './command.ts';
import { UsageError } from './command-failure.ts';
import { confirm } from './confirm.ts';
import type { Column } from './format-table.ts';
import type { Invocation } from './invocation.ts';
import { field, printFields, printList } from './print-answer.ts';
import { printSecret } from './print-secret.ts';
import { rotationOf } from './rotation-options.ts';

const columns: readonly Column<AdminItem<'GET /tokens'>>[] = [
  field('id'),
  field('name'),
  field('role'),
  field('hint', 'begins with'),
  field('created_at', 'created'),
  field('expires_at', 'expires'),
  field('revoked_at', 'revoked'),
];

const paramsOf = (invocation: Invocation) => ({ id: invocation.required('TOKEN') });

export const createToken: Run = async (invocation) => {
  const name = invocation.positional('NAME') ?? invocation.text('name');
  const role = invocation.choice('role', adminRoles);
  if (name === undefined) throw new UsageError('NAME is missing');
  if (role === undefined) throw new UsageError('--role is missing');
  const expiresAt = invocation.text('expires-at');
  const body = { name, role, ...(expiresAt !== undefined && { expires_at: expiresAt }) };
  const created = await callAdmin(invocation, 'POST /tokens', { body });
  printSecret(invocation, created, { noun: 'token', secret: created.token });
  return 0;
};

export const listTokens: Run = async (invocation) => {
  await printList(invocation, await callAdmin(invocation, 'GET /tokens'), { key: 'GET /tokens', columns });
  return 0;
};

export const rotateToken: Run = async (invocation) => {
  const call = { params: paramsOf(invocation), body: rotationOf(invocation) };
  const rotated = await callAdmin(invocation, 'POST /tokens/{id}/rotate', call);
  printSecret(invocation, rotated, { noun: 'token', secret: rotated.token });
  return 0;
};

export const revokeToken: Run = async (invocation) => {
  await confirm(
    invocation,
    `Revoke the admin token ${invocation.positional('TOKEN')}? This cannot be undone.`,
  );
  printFields(
    invocation,
    await callAdmin(invocation, 'DELETE /tokens/{id}', { params: paramsOf(invocation) }),
  );
  return 0;
};

import { callAdmin } from './admin-client.ts';
import type { Run } from './command.ts';
import { UsageError } from './command-failure.ts';
import { confirm } from './confirm.ts';
import type { Invocation } from './invocation.ts';
import { field, printFields, printList } from './print-answer.ts';
import { printSecret } from './print-secret.ts';
import { rotationOf } from './rotation-options.ts';

const columns = [
  field('id'),
  field('name'),
  field('role'),
  field('hint', 'begins with'),
  field('created_at', 'created'),
  field('expires_at', 'expires'),
  field('revoked_at', 'revoked'),
];

const pathOf = (invocation: Invocation): string =>
  `/tokens/${encodeURIComponent(invocation.positional('TOKEN')!)}`;

export const createToken: Run = async (invocation) => {
  const name = invocation.positional('NAME') ?? invocation.text('name');
  const role = invocation.text('role');
  if (name === undefined) throw new UsageError('NAME is missing');
  if (role === undefined) throw new UsageError('--role is missing');
  const expiresAt = invocation.text('expires-at');
  const body = { name, role, ...(expiresAt !== undefined && { expires_at: expiresAt }) };
  printSecret(invocation, await callAdmin(invocation, { method: 'POST', path: '/tokens', body }), 'token');
  return 0;
};

export const listTokens: Run = async (invocation) => {
  await printList(invocation, await callAdmin(invocation, { path: '/tokens' }), { name: 'tokens', columns });
  return 0;
};

export const rotateToken: Run = async (invocation) => {
  const call = {
    method: 'POST',
    path: `${pathOf(invocation)}/rotate`,
    body: rotationOf(invocation),
  } as const;
  printSecret(invocation, await callAdmin(invocation, call), 'token');
  return 0;
};

export const revokeToken: Run = async (invocation) => {
  await confirm(
    invocation,
    `Revoke the admin token ${invocation.positional('TOKEN')}? This cannot be undone.`,
  );
  printFields(invocation, await callAdmin(invocation, { method: 'DELETE', path: pathOf(invocation) }));
  return 0;
};

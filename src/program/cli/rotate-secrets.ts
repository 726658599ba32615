import { callAdmin } from './call-admin.ts';
import type { Run } from './command.ts';
import { printJson } from './print-answer.ts';
import { readSecretInput } from './read-secret-input.ts';

/** Encrypts all stored credentials again, while the server runs. */
export const rotateSecrets: Run = async (invocation) => {
  const file = invocation.text('new-key-file');
  const body = file === undefined ? {} : { new_key: await readSecretInput(file) };
  const rotated = await callAdmin(invocation, 'POST /secrets/rotate', { body });
  if (invocation.flag('json')) printJson(invocation, rotated);
  else invocation.terminal.print(`Encrypted ${rotated.rotated} credentials with the new key`);
  for (const id of rotated.unreadable)
    invocation.terminal.remark(`The credential of the provider ${id} cannot be read, so it stays as it is`);
  return rotated.unreadable.length === 0 ? 0 : 1;
};

import { readFile } from 'node:fs/promises';
import { codeOrText } from '../../base/lib/error-code.ts';
import { CommandFailure } from './command-failure.ts';

/**
 * Reads a secret from a file, or from standard input if the name is `-`. A secret in an argument would be in
 * the list of processes.
 */
export async function readSecretInput(name: string): Promise<string> {
  const text = await (name === '-' ? Bun.stdin.text() : readFile(name, 'utf8')).catch((error) => {
    throw new CommandFailure(`${name} cannot be read (${codeOrText(error)})`);
  });
  const secret = text.trim();
  if (secret === '') throw new CommandFailure(`${name === '-' ? 'standard input' : name} is empty`);
  return secret;
}

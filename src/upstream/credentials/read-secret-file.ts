import { readFile } from 'node:fs/promises';
import { codeOfError } from '../../base/lib/error-code.ts';
import { CredentialFailure } from '../../settings/hosts/provider-credential.ts';

/** Reads a file with a secret. The failure names the file, and quotes nothing from it. */
export async function readSecretFile(file: string, source: string): Promise<string> {
  try {
    return await readFile(file, 'utf8');
  } catch (error) {
    const what = codeOfError(error) === 'ENOENT' ? 'does not exist' : 'cannot be read';
    throw new CredentialFailure(source, `${file} ${what}`);
  }
}

import { CredentialFailure } from '../../settings/hosts/provider-credential.ts';

/**
 * Asks the source that needs no settings, after all others. If it fails, the message says what sets up
 * another one.
 */
export async function lastSource<T>(asked: Promise<T>, others: string): Promise<T> {
  try {
    return await asked;
  } catch (error) {
    if (!(error instanceof CredentialFailure)) throw error;
    throw new CredentialFailure(error.source, `${error.message}; no other source is set up: ${others}`);
  }
}

import type { AwsCredentials } from '../../settings/hosts/aws-credentials.ts';
import { CredentialFailure } from '../../settings/hosts/provider-credential.ts';
import { readObject, textIn } from './ask-token-service.ts';

export type AwsFetched = { keys: AwsCredentials; source: string; expiresAt: number | null };

/** Reads the credentials that containers and instances get. */
export function readAwsAnswer(text: string, source: string): AwsFetched {
  const answer = readObject(text, source);
  const { Code: code } = answer; // a service can say with status 200 that there are none
  if (typeof code === 'string' && /^[A-Za-z]{1,60}$/.test(code) && code !== 'Success')
    throw new CredentialFailure(source, `the service gave no credentials (${code})`);
  const expiresAt = Date.parse(textIn(answer, 'Expiration', source));
  if (Number.isNaN(expiresAt)) throw new CredentialFailure(source, 'Expiration is not a time');
  return {
    keys: {
      accessKeyId: textIn(answer, 'AccessKeyId', source),
      secretAccessKey: textIn(answer, 'SecretAccessKey', source),
      sessionToken: textIn(answer, 'Token', source),
    },
    source,
    expiresAt,
  };
}

import type { AwsCredentials } from '../../settings/hosts/aws-credentials.ts';
import type { AwsPlan } from '../../settings/hosts/cloud-plan.ts';
import { CredentialFailure } from '../../settings/hosts/provider-credential.ts';
import { readObject, requiredText } from './read-token-answer.ts';

/** The keys that a source gave. `expiresAt`: Unix milliseconds, or null if the keys do not expire. */
export type AwsFetched = { keys: AwsCredentials; source: string; expiresAt: number | null };

type GivenKeys = {
  id: string | null | undefined;
  secret: string | null | undefined;
  token: string | null | undefined;
};

/** Returns keys that do not expire, or undefined if they are not complete. */
export function fixedKeys({ id, secret, token }: GivenKeys, source: string): AwsFetched | undefined {
  if (!id || !secret) return undefined;
  const keys = { accessKeyId: id, secretAccessKey: secret, ...(token && { sessionToken: token }) };
  return { keys, source, expiresAt: null };
}

/** Returns the keys that variables of the environment give. */
export const keysOfEnvironment = ({ environment }: AwsPlan): AwsFetched | undefined =>
  fixedKeys(
    {
      id: environment.AWS_ACCESS_KEY_ID,
      secret: environment.AWS_SECRET_ACCESS_KEY,
      token: environment.AWS_SESSION_TOKEN,
    },
    'environment',
  );

/** Reads the credentials that containers and instances get. */
export function readAwsAnswer(text: string, source: string): AwsFetched {
  const answer = readObject(text, source);
  const { Code: code } = answer; // a service can say with status 200 that there are none
  if (typeof code === 'string' && /^[A-Za-z]{1,60}$/.test(code) && code !== 'Success')
    throw new CredentialFailure(source, `the service gave no credentials (${code})`);
  const expiresAt = Date.parse(requiredText(answer, 'Expiration', source));
  if (Number.isNaN(expiresAt)) throw new CredentialFailure(source, 'Expiration is not a time');
  return {
    keys: {
      accessKeyId: requiredText(answer, 'AccessKeyId', source),
      secretAccessKey: requiredText(answer, 'SecretAccessKey', source),
      sessionToken: requiredText(answer, 'Token', source),
    },
    source,
    expiresAt,
  };
}

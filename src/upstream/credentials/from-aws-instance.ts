import type { AwsPlan } from '../../settings/hosts/cloud-plan.ts';
import { CredentialFailure } from '../../settings/hosts/provider-credential.ts';
import { askTokenService } from './ask-token-service.ts';
import { type AwsFetched, readAwsAnswer } from './aws-fetched.ts';

const SOURCE = 'metadata';
const ADDRESS = 'http://169.254.169.254';
const ROLES = '/latest/meta-data/iam/security-credentials/';
const TOKEN_LIFE_S = '21600';
const TIMEOUT_MS = 2_000;

/**
 * Takes the credentials of an EC2 instance from its metadata service (IMDSv2). Returns undefined if it is
 * switched off.
 */
export async function fromAwsInstance({ environment, source }: AwsPlan): Promise<AwsFetched | undefined> {
  if (environment.AWS_EC2_METADATA_DISABLED?.toLowerCase() === 'true') {
    if (source === 'auto') return undefined;
    throw new CredentialFailure(SOURCE, 'AWS_EC2_METADATA_DISABLED is true');
  }
  const base = (environment.AWS_EC2_METADATA_SERVICE_ENDPOINT ?? ADDRESS).replace(/\/+$/, '');
  const ask = (path: string, method: 'GET' | 'PUT', headers: Record<string, string>): Promise<string> =>
    askTokenService({
      source: SOURCE,
      url: base + path,
      method,
      headers,
      kind: 'local',
      timeoutMs: TIMEOUT_MS,
    });
  const token = await ask('/latest/api/token', 'PUT', {
    'x-aws-ec2-metadata-token-ttl-seconds': TOKEN_LIFE_S,
  });
  const headers = { 'x-aws-ec2-metadata-token': token };
  const role = (await ask(ROLES, 'GET', headers)).trim().split('\n')[0] ?? '';
  if (role === '') throw new CredentialFailure(SOURCE, 'the instance has no role');
  return readAwsAnswer(await ask(ROLES + encodeURIComponent(role), 'GET', headers), SOURCE);
}

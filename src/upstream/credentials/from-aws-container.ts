import { isLoopback } from '../../base/lib/is-loopback.ts';
import type { AwsPlan } from '../../settings/hosts/cloud-plan.ts';
import { CredentialFailure } from '../../settings/hosts/provider-credential.ts';
import { askTokenService } from './ask-token-service.ts';
import { type AwsFetched, readAwsAnswer } from './aws-fetched.ts';
import { readSecretFile } from './read-secret-file.ts';

const SOURCE = 'container';
const ECS = 'http://169.254.170.2';
/** The addresses of ECS and of EKS Pod Identity. */
const LOCAL_HOSTS = new Set(['169.254.170.2', '169.254.170.23', '[fd00:ec2::23]']);
const TIMEOUT_MS = 3_000;

/** Takes the credentials of a container (ECS, EKS Pod Identity). Returns undefined outside of a container. */
export async function fromAwsContainer({ environment }: AwsPlan): Promise<AwsFetched | undefined> {
  const relative = environment.AWS_CONTAINER_CREDENTIALS_RELATIVE_URI;
  const url = relative === undefined ? environment.AWS_CONTAINER_CREDENTIALS_FULL_URI : `${ECS}${relative}`;
  if (url === undefined) return undefined;
  const { hostname, protocol } = URL.parse(url) ?? {};
  const isLocalService = LOCAL_HOSTS.has(hostname ?? '') || isLoopback(hostname ?? '');
  // The token of the container may go to no other address.
  if (protocol !== 'https:' && !isLocalService)
    throw new CredentialFailure(
      SOURCE,
      'AWS_CONTAINER_CREDENTIALS_FULL_URI is not the address of a container service',
    );
  const file = environment.AWS_CONTAINER_AUTHORIZATION_TOKEN_FILE;
  const token =
    file === undefined
      ? environment.AWS_CONTAINER_AUTHORIZATION_TOKEN
      : (await readSecretFile(file, SOURCE)).trim();
  const headers = { accept: 'application/json', ...(token && { authorization: token }) };
  const text = await askTokenService({
    source: SOURCE,
    url,
    headers,
    timeoutMs: TIMEOUT_MS,
    kind: isLocalService ? 'container' : 'service',
  });
  return readAwsAnswer(text, SOURCE);
}

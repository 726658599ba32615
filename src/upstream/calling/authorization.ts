import type { AwsCredentials } from '../../settings/hosts/aws-credentials.ts';
import type { AwsPlan } from '../../settings/hosts/cloud-plan.ts';
import type { CloudSecret } from '../../settings/hosts/provider-credential.ts';
import type { Provider } from '../../settings/hosts/providers.ts';
import { type AwsRequest, signAws } from './sign-aws.ts';

export const JSON_TYPE = 'application/json';

/** The parts of a call that its authorization depends on. */
export type AuthorizedCall = {
  provider: Provider;
  url: string;
  body: AwsRequest['body'];
  /** Default: `POST`. */
  method?: AwsRequest['method'] | undefined;
  /** Default: JSON. */
  contentType?: string | undefined;
  /** The credential, if the provider is in a cloud. */
  secret?: CloudSecret | undefined;
};

/** Returns the headers that authorize a call to a provider in a cloud. */
export function authorization(call: AuthorizedCall): Record<string, string> | undefined {
  const { secret, provider } = call;
  if (secret === undefined) return undefined;
  if (secret.kind === 'token') {
    const { token, quotaProject } = secret;
    return { authorization: `Bearer ${token}`, ...(quotaProject && { 'x-goog-user-project': quotaProject }) };
  }
  return provider.cloud?.plan.kind === 'aws' ? signature(call, provider.cloud.plan, secret.keys) : undefined;
}

/** Only the content type is signed besides the required headers, since proxies change or add others. */
const signature = (
  { url, body, contentType = JSON_TYPE, method = 'POST' }: AuthorizedCall,
  { region, service }: AwsPlan,
  credentials: AwsCredentials,
): Record<string, string> =>
  signAws(
    { method, url: new URL(url), headers: { 'content-type': contentType }, body },
    { credentials, region, service, now: new Date() },
  );

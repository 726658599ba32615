import type { AwsCredentials } from '../../../src/settings/hosts/aws-credentials.ts';
import { signAws } from '../../../src/upstream/calling/sign-aws.ts';

export type Signed = { method: string; url: URL; headers: Headers; body: string | Uint8Array };

/**
 * Recomputes the signature of a request with the known keys.
 * Returns undefined if no known key has signed it for that service.
 */
export function signerOf(
  { method, url, headers, body }: Signed,
  service: string,
  known: ReadonlyMap<string, AwsCredentials>,
): string | undefined {
  const reported = headers.get('authorization') ?? '';
  const [, id = '', region = '', named = ''] =
    /Credential=([^/]+)\/\d+\/([^/]+)\/([^/]+)\//.exec(reported) ?? [];
  const names = /SignedHeaders=([^,]+)/.exec(reported)?.[1]?.split(';') ?? [];
  const credentials = known.get(id);
  if (!credentials || named !== service) return undefined;
  const date = headers
    .get('x-amz-date')!
    .replace(/(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z/, '$1-$2-$3T$4:$5:$6Z');
  const own = names.filter((name) => !/^(host|x-amz-date|x-amz-security-token)$/.test(name));
  const signed = signAws(
    {
      method: method as 'POST',
      url,
      body,
      headers: Object.fromEntries(own.map((name) => [name, headers.get(name)!])),
    },
    { credentials, region, service, now: new Date(date) },
  );
  return signed.authorization === reported ? id : undefined;
}

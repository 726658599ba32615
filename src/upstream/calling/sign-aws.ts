import { createHash, createHmac } from 'node:crypto';
import type { PlainRequest } from '../../base/lib/send-plain.ts';
import type { AwsCredentials } from '../../settings/hosts/aws-credentials.ts';

export type AwsRequest = {
  method: NonNullable<PlainRequest['method']>;
  url: URL;
  /** The headers to sign. None may be added or changed afterwards. */
  headers: Readonly<Record<string, string>>;
  body: string | Uint8Array;
};

/** The credentials of a signature, and where and when it is valid. */
export type AwsScope = { credentials: AwsCredentials; region: string; service: string; now: Date };

const ALGORITHM = 'AWS4-HMAC-SHA256';

/**
 * Returns the given headers with their Signature Version 4. `host` is signed too, and the HTTP client sends
 * it. https://docs.aws.amazon.com/IAM/latest/UserGuide/reference_sigv-create-signed-request.html
 */
export function signAws(request: AwsRequest, scope: AwsScope): Record<string, string> {
  const { credentials, region, service, now } = scope;
  const time = now.toISOString().replace(/[-:]|\.\d{3}/g, '');
  const day = time.slice(0, 8);
  const headers = {
    ...request.headers,
    'x-amz-date': time,
    ...(credentials.sessionToken && { 'x-amz-security-token': credentials.sessionToken }),
  };
  const signed = canonicalHeaders({ ...headers, host: request.url.host });
  const credentialScope = `${day}/${region}/${service}/aws4_request`;
  const digest = sha256(canonicalRequest(request, signed));
  const key = [day, region, service, 'aws4_request'].reduce<string | Buffer>(
    (secret, part) => hmac(secret, part),
    `AWS4${credentials.secretAccessKey}`,
  );
  const signature = hmac(key, [ALGORITHM, time, credentialScope, digest].join('\n')).toString('hex');
  const names = signed.map(([name]) => name).join(';');
  return {
    ...headers,
    authorization: `${ALGORITHM} Credential=${credentials.accessKeyId}/${credentialScope}, SignedHeaders=${names}, Signature=${signature}`,
  };
}

const sha256 = (text: string | Uint8Array): string => createHash('sha256').update(text).digest('hex');
const hmac = (key: string | Buffer, text: string): Buffer => createHmac('sha256', key).update(text).digest();

function canonicalRequest({ method, url, body }: AwsRequest, headers: readonly [string, string][]): string {
  return [
    method,
    // The canonical path is encoded once more than the sent path, except for S3.
    url.pathname.split('/').map(encode).join('/'),
    canonicalQuery(url),
    ...headers.map(([name, value]) => `${name}:${value}`),
    '',
    headers.map(([name]) => name).join(';'),
    sha256(body),
  ].join('\n');
}

const canonicalQuery = (url: URL): string =>
  [...url.searchParams]
    .map(([name, value]): [string, string] => [encode(name), encode(value)])
    .sort(([name, value], [otherName, otherValue]) => byCode(name, otherName) || byCode(value, otherValue))
    .map((pair) => pair.join('='))
    .join('&');

function canonicalHeaders(headers: Readonly<Record<string, string>>): [string, string][] {
  return Object.entries(headers)
    .map(([name, value]): [string, string] => [name.toLowerCase(), value.trim().replace(/\s+/g, ' ')])
    .sort(([one], [other]) => byCode(one, other));
}

function byCode(one: string, other: string): number {
  if (one === other) return 0;
  return one < other ? -1 : 1;
}

/** Encodes as in RFC 3986. `encodeURIComponent` leaves five reserved characters as they are. */
const encode = (text: string): string =>
  encodeURIComponent(text).replace(
    /[!'()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  );

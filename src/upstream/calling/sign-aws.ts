import { createHash, createHmac } from 'node:crypto';

export type AwsCredentials = { accessKeyId: string; secretAccessKey: string; sessionToken?: string };

export type AwsRequest = {
  method: 'GET' | 'POST';
  url: URL;
  /** All of them are signed, so none may be added or changed afterwards. */
  headers: Readonly<Record<string, string>>;
  body: string;
};

export type AwsScope = { credentials: AwsCredentials; region: string; service: string; now: Date };

const ALGORITHM = 'AWS4-HMAC-SHA256';

/**
 * The headers to send: those given, and Signature Version 4 over all of them. `host` is signed too, and is sent by whoever makes the
 * request. https://docs.aws.amazon.com/IAM/latest/UserGuide/reference_sigv-create-signed-request.html
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
  const place = `${day}/${region}/${service}/aws4_request`;
  const digest = sha256(canonicalRequest(request, signed));
  const key = [day, region, service, 'aws4_request'].reduce<string | Buffer>(
    (secret, part) => hmac(secret, part),
    `AWS4${credentials.secretAccessKey}`,
  );
  const signature = hmac(key, [ALGORITHM, time, place, digest].join('\n')).toString('hex');
  const names = signed.map(([name]) => name).join(';');
  return {
    ...headers,
    authorization: `${ALGORITHM} Credential=${credentials.accessKeyId}/${place}, SignedHeaders=${names}, Signature=${signature}`,
  };
}

const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex');
const hmac = (key: string | Buffer, text: string): Buffer => createHmac('sha256', key).update(text).digest();

function canonicalRequest({ method, url, body }: AwsRequest, headers: readonly [string, string][]): string {
  return [
    method,
    // Paths are encoded once more than they are sent (but in S3).
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
    .map(([name, value]) => `${encode(name)}=${encode(value)}`)
    .sort(byCode)
    .join('&');

function canonicalHeaders(headers: Readonly<Record<string, string>>): [string, string][] {
  return Object.entries(headers)
    .map(([name, value]): [string, string] => [name.toLowerCase(), value.trim().replace(/\s+/g, ' ')])
    .sort(([one], [other]) => byCode(one, other));
}

const byCode = (one: string, other: string): number => (one < other ? -1 : one > other ? 1 : 0);

/** As RFC 3986 has it: `encodeURIComponent` leaves five characters that are not unreserved. */
const encode = (text: string): string =>
  encodeURIComponent(text).replace(
    /[!'()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  );

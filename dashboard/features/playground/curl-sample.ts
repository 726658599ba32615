import type { DialectId } from '../../app/chat-endpoints.ts';
import type { RequestBody } from './request-body.ts';
import type { SampleInput } from './sample-input.ts';

/** The headers of each dialect, as the shell expands them. */
const dialectHeaders: Readonly<Record<DialectId, readonly string[]>> = {
  messages: ['x-api-key: $TOLLGATE_API_KEY', 'anthropic-version: 2023-06-01'],
  responses: ['authorization: Bearer $TOLLGATE_API_KEY'],
  chat: ['authorization: Bearer $TOLLGATE_API_KEY'],
  gemini: ['x-goog-api-key: $TOLLGATE_API_KEY'],
};

/** Returns the request as a command of the shell. */
export function curlSample(input: SampleInput): string {
  const { dialect, baseUrl, paymentHeader, isStream } = input;
  const { path, body } = addressOf(input);
  const headers = [
    ...dialectHeaders[dialect.id],
    'content-type: application/json',
    ...(paymentHeader ? [`${paymentHeader}: payg`] : []),
  ];
  const data = JSON.stringify(body, null, 2).replaceAll("'", `'\\''`);
  const url = path.includes('?') ? `"${baseUrl}${path}"` : baseUrl + path;
  return [
    `curl ${isStream ? '--no-buffer ' : ''}${url}`,
    ...headers.map((header) => `  --header "${header}"`),
    `  --data '${data}'`,
  ].join(' \\\n');
}

/** Returns the path and the body of a client. A path with a placeholder names the model. */
function addressOf({ dialect, body, isStream }: SampleInput): { path: string; body: RequestBody } {
  const { path, streamPath } = dialect;
  if (streamPath === undefined) return { path, body };
  const { model, ...others } = body;
  const template = isStream ? `${streamPath}?alt=sse` : path;
  return { path: template.replace('{id}', encodeURIComponent(String(model))), body: others };
}

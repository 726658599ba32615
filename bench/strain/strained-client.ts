import { connect, type Socket } from 'node:net';
import { formatStatuses } from '../format-statuses.ts';
import type { StrainedGateway } from './start-strained-gateway.ts';

export const CHAT = '/v1/chat/completions';
export const MESSAGES = '/v1/messages';

type StrainingRequest = {
  path: string;
  body: string | Uint8Array<ArrayBuffer>;
  headers?: Readonly<Record<string, string>>;
};

/** Sends a request and reads its answer. Returns the status, or 0 without an answer. */
async function statusOf({ url, key }: StrainedGateway, request: StrainingRequest): Promise<number> {
  const headers = { authorization: `Bearer ${key}`, 'x-api-key': key, ...request.headers };
  try {
    const answer = await fetch(url + request.path, { method: 'POST', headers, body: request.body });
    for await (const _ of answer.body ?? []);
    return answer.status;
  } catch {
    return 0;
  }
}

/** Sends a request several times at once. Returns the counts of the statuses. */
export async function sendAtOnce(
  gateway: StrainedGateway,
  { body, ...request }: StrainingRequest,
  times: number,
): Promise<string> {
  const bytes = typeof body === 'string' ? new TextEncoder().encode(body) : body;
  const sent = Array.from({ length: times }, () => statusOf(gateway, { ...request, body: bytes }));
  return formatStatuses(await Promise.all(sent));
}

/** The beginning of a request. Its head announces `contentLength` bytes. */
type Beginning = { path: string; body: string; contentLength: number };

/** Sends the beginning of a request over a socket of its own. */
export function beginRequest(
  { port, key }: StrainedGateway,
  { path, body, contentLength }: Beginning,
): Socket {
  const head = [
    `POST ${path} HTTP/1.1`,
    'host: a',
    `authorization: Bearer ${key}`,
    'content-type: application/json',
    `content-length: ${contentLength}`,
  ];
  const socket = connect(port, '127.0.0.1');
  socket.on('error', () => {});
  socket.write(`${head.join('\r\n')}\r\n\r\n${body}`);
  return socket;
}

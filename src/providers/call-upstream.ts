import type { Wire } from '../canonical/wire.ts';
import { MAX_ANSWER_BYTES, readStart } from './read-bounded.ts';
import type { Target } from './target.ts';
import { UpstreamDeadline } from './upstream-deadline.ts';
import { broken, failureOfStatus, timedOut, type UpstreamFailure } from './upstream-failure.ts';
import { upstreamHeaders } from './upstream-headers.ts';
import { upstreamUrl } from './upstream-url.ts';

export type UpstreamCall = {
  target: Target;
  wire: Wire;
  path: string;
  body: string;
  stream: boolean;
  client: AbortSignal;
  /** Where the client speaks the wire's own protocol: what it says to the vendor beside the body. */
  clientHeaders?: Headers | undefined;
};

/** An answer that has begun. Whoever takes it closes the deadline. */
export type UpstreamAnswer = { response: Response; deadline: UpstreamDeadline };

/** What is read of an error's body: enough to see what it speaks of. */
const MAX_ERROR_TEXT = 16 * 1024;

/** One attempt at one target, until its head is there. */
export async function callUpstream(call: UpstreamCall): Promise<UpstreamAnswer | UpstreamFailure> {
  const { wire, body, clientHeaders, target } = call;
  const { provider } = target;
  const url = upstreamUrl(provider, { path: call.path, upstreamModel: target.upstreamModel });
  const deadline = new UpstreamDeadline(provider, call.client);
  try {
    const response = await fetch(url, {
      method: 'POST',
      headers: upstreamHeaders({ provider, wire, url, body, clientHeaders }),
      body,
      redirect: 'manual', // a redirect could lead anywhere, with our key
      decompress: false, // asked for none: what comes compressed all the same could be of any size
      signal: deadline.signal,
    });
    if (isAsExpected(call, response)) return { response, deadline };
    const failure = await readFailure(response);
    deadline.close();
    return failure;
  } catch (error) {
    deadline.close();
    return failureOf(error, deadline);
  }
}

/** Wires whose streams are no server-sent events. */
const STREAM_TYPES: Partial<Record<Wire, string>> = {
  'bedrock-converse': 'application/vnd.amazon.eventstream',
};

function isAsExpected({ stream, wire }: UpstreamCall, { status, headers }: Response): boolean {
  return (
    status === 200 &&
    (headers.get('content-type') ?? '').includes(
      stream ? (STREAM_TYPES[wire] ?? 'text/event-stream') : 'json',
    ) &&
    Number(headers.get('content-length')) <= MAX_ANSWER_BYTES &&
    (headers.get('content-encoding') ?? 'identity') === 'identity'
  );
}

async function readFailure(response: Response): Promise<UpstreamFailure> {
  if (response.status !== 200) {
    const { text } = await readStart(response, MAX_ERROR_TEXT);
    return failureOfStatus(response.status, text, response.headers);
  }
  await response.body?.cancel();
  const { headers } = response;
  return broken(`an answer of type ${headers.get('content-type')}, ${headers.get('content-length')} bytes`);
}

export const failureOf = (error: unknown, deadline: UpstreamDeadline): UpstreamFailure =>
  deadline.expired ? timedOut() : broken(error);

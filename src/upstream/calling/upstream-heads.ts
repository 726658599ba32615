import type { CloudSecret } from '../../settings/hosts/provider-credential.ts';
import type { Target } from '../../settings/hosts/target.ts';
import { prepareRequestHead, type RequestHead } from '../http-client/request-head.ts';
import { forwardedHeaders } from './forwarded-headers.ts';
import type { UpstreamCall } from './upstream-call.ts';
import { upstreamHeaders } from './upstream-headers.ts';
import { upstreamUrl } from './upstream-url.ts';

/** The number of cached heads for each target: its paths, and the versions that clients ask for. */
const MAX_PER_TARGET = 100;

/**
 * Caches the heads of requests, which repeat except for signatures and boundaries. A head is dropped together
 * with its target.
 */
export class UpstreamHeads {
  readonly #heads = new WeakMap<Target, Map<string, RequestHead>>();

  of(call: UpstreamCall, secret?: CloudSecret): RequestHead {
    const { target, wire, path, streamed, clientHeaders, headerEdits, trace } = call;
    const { provider } = target;
    const forwarded =
      clientHeaders && forwardedHeaders(provider, { wire, client: clientHeaders, edits: headerEdits });
    if (trace && forwarded) dropTrace(forwarded);
    if (secret || streamed) return makeHead(call, { forwarded, secret });
    const heads = this.#headsOf(target);
    const key = forwarded || wire !== target.wires[0] ? keyOf(call, forwarded) : path;
    const head = heads.get(key);
    if (head) return head;
    if (heads.size >= MAX_PER_TARGET) heads.clear();
    const newHead = makeHead(call, { forwarded });
    heads.set(key, newHead);
    return newHead;
  }

  #headsOf(target: Target): Map<string, RequestHead> {
    const heads = this.#heads.get(target);
    if (heads) return heads;
    const newHeads = new Map<string, RequestHead>();
    this.#heads.set(target, newHeads);
    return newHeads;
  }
}

/** The gateway's trace headers replace the client's, which the operator may have forwarded. */
function dropTrace(forwarded: Record<string, string>): void {
  delete forwarded['traceparent'];
  delete forwarded['tracestate'];
}

type Forwarded = Record<string, string> | undefined;
type HeadParts = { forwarded: Forwarded; secret?: CloudSecret | undefined };

function makeHead(
  { target, wire, path, body, streamed, stream }: UpstreamCall,
  { forwarded, secret }: HeadParts,
): RequestHead {
  const { provider, upstreamModel } = target;
  const project = secret?.kind === 'token' ? secret.project : null;
  const url = upstreamUrl(provider, { path, upstreamModel, stream, project });
  return prepareRequestHead(
    url,
    upstreamHeaders({ provider, wire, url, body, forwarded, secret, contentType: streamed?.contentType }),
  );
}

/** Builds the cache key. A line break separates its parts, since no path and no field contains one. */
function keyOf({ path, wire }: UpstreamCall, forwarded: Forwarded): string {
  let key = `${path}\n${wire}`;
  for (const name in forwarded) key += `\n${name}:${forwarded[name]}`;
  return key;
}

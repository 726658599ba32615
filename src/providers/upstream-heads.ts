import { prepareRequestHead, type RequestHead } from '../upstream-http/request-head.ts';
import { forwardedHeaders } from './forwarded-headers.ts';
import type { Provider } from './providers.ts';
import type { UpstreamCall } from './upstream-caller.ts';
import { upstreamHeaders } from './upstream-headers.ts';
import { upstreamUrl } from './upstream-url.ts';

/** A path for each model and way, and the versions that clients ask for. */
const MAX_PER_PROVIDER = 1_000;

/** The heads of requests. But for signatures they are the same again and again: made once, and dropped with their provider. */
export class UpstreamHeads {
  readonly #known = new WeakMap<Provider, Map<string, RequestHead>>();

  of({ target, wire, path, body, clientHeaders }: UpstreamCall): RequestHead {
    const { provider, upstreamModel } = target;
    const url = upstreamUrl(provider, { path, upstreamModel });
    const forwarded = clientHeaders && forwardedHeaders(provider, wire, clientHeaders);
    const make = () => prepareRequestHead(url, upstreamHeaders({ provider, wire, url, body, forwarded }));
    if (provider.aws) return make();
    const known = this.#knownOf(provider);
    const key = keyOf(`${wire} ${url}`, forwarded);
    const head = known.get(key);
    if (head) return head;
    if (known.size >= MAX_PER_PROVIDER) known.clear();
    const made = make();
    known.set(key, made);
    return made;
  }

  #knownOf(provider: Provider): Map<string, RequestHead> {
    const known = this.#known.get(provider) ?? new Map<string, RequestHead>();
    if (known.size === 0) this.#known.set(provider, known);
    return known;
  }
}

/** No field has a line break in it. */
function keyOf(key: string, forwarded: Record<string, string> = {}): string {
  let longer = key;
  for (const name in forwarded) longer += `\n${name}:${forwarded[name]}`;
  return longer;
}

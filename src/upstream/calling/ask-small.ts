import { readStart } from '../../base/lib/read-start.ts';
import { sendPlain } from '../../base/lib/send-plain.ts';
import type { CloudSecret } from '../../settings/hosts/provider-credential.ts';
import type { Provider } from '../../settings/hosts/providers.ts';
import { lowerCaseNames } from '../http-client/lower-case-names.ts';
import { vertexBody } from './call-cloud.ts';
import { listPaths } from './list-paths.ts';
import { sendOwnRequest } from './send-own-request.ts';
import type { SmallCall } from './small-call.ts';
import { upstreamHeaders } from './upstream-headers.ts';
import { upstreamUrl } from './upstream-url.ts';
import { REFUSED, withRenewal } from './with-renewal.ts';

/** The longest wait for an answer to a check. */
export const SMALL_TIMEOUT_MS = 20_000;

/** Far more than a list of models needs. A wrong address can answer without an end. */
const MAX_BYTES = 8 * 1_024 * 1_024;

/** An answer to a check of a provider, and the time that it took. */
export type SmallReply = { status: number; text: string; headers: Headers; ms: number };

/** Sends a request, and reads the start of its answer. */
async function readReply(send: () => Promise<Response>): Promise<SmallReply> {
  const startedAt = performance.now();
  const response = await send();
  const { text } = await readStart(response, MAX_BYTES);
  const ms = Math.round(performance.now() - startedAt);
  return { status: response.status, text, headers: response.headers, ms };
}

const inTime = (): AbortSignal => AbortSignal.timeout(SMALL_TIMEOUT_MS);

/** Asks a provider for its list of models. Returns undefined if its protocol has no such list. */
export async function askForModels(provider: Provider): Promise<SmallReply | undefined> {
  const wire = provider.wires[0]!;
  const path = listPaths[wire];
  if (path === undefined) return undefined;
  return readReply(() => sendOwnRequest(provider, { wire, path, signal: inTime() }));
}

/** Makes a small call of a model. */
export async function askModelBriefly(
  provider: Provider,
  { wire, model, path, ...call }: SmallCall,
): Promise<SmallReply> {
  const { cloud } = provider;
  const isVertex = cloud?.plan.kind === 'google' && wire === 'anthropic-messages';
  const body = isVertex ? vertexBody(call.body) : call.body;
  const send = (secret?: CloudSecret): Promise<SmallReply> => {
    const project = secret?.kind === 'token' ? secret.project : null;
    const url = upstreamUrl(provider, { path, upstreamModel: model, stream: false, project });
    const headers = lowerCaseNames(upstreamHeaders({ provider, wire, url, body, secret }));
    return readReply(() => sendPlain({ method: 'POST', url, headers, body, signal: inTime() }));
  };
  if (cloud === null) return send();
  return withRenewal(cloud.credential, { send, isRefused: ({ status }) => REFUSED.has(status) });
}

import { patchPart } from '../../base/json/patch-json.ts';
import type { CloudSecret, ProviderCredential } from '../../settings/hosts/provider-credential.ts';
import type { HttpAnswer } from '../http-client/http-answer.ts';
import { connectionFailure } from './failures.ts';
import type { UpstreamCall } from './upstream-call.ts';
import type { UpstreamFailure } from './upstream-failure.ts';
import { REFUSED, withRenewal } from './with-renewal.ts';

type Answer = HttpAnswer | UpstreamFailure;
type Send = (call: UpstreamCall, secret: CloudSecret) => Promise<Answer>;

const VERTEX_VERSION = 'vertex-2023-10-16';

/**
 * Calls a provider in a cloud. If the host refuses the secret, it is renewed once, and the call is repeated
 * once. A form is sent again from its beginning.
 */
export async function callCloud(
  call: UpstreamCall,
  credential: ProviderCredential,
  send: Send,
): Promise<Answer> {
  const fitted = fitForVertex(call);
  try {
    return await withRenewal(credential, {
      send: (secret) => send(fitted, secret),
      isRefused: (answer) => 'refusal' in answer && REFUSED.has(answer.status),
    });
  } catch (error) {
    return connectionFailure(error); // the credential has reported its failure
  }
}

/** Vertex AI has the model of the messages protocol in the path, and the version in the body. */
function fitForVertex(call: UpstreamCall): UpstreamCall {
  const { cloud } = call.target.provider;
  if (cloud?.plan.kind !== 'google' || call.wire !== 'anthropic-messages') return call;
  return { ...call, body: vertexBody(call.body) };
}

/** Returns the body of a request on the messages protocol as Vertex AI takes it. */
export const vertexBody = (body: string): string =>
  patchPart(body, { model: null, anthropic_version: JSON.stringify(VERTEX_VERSION) });

import { Refusal } from '../../base/errors/refusal.ts';
import { MAX_BODY_BYTES } from '../../base/json/body-sizes.ts';
import type { JsonBody } from '../../base/json/json-body.ts';
import { parseBody, parseBodyAtOnce } from '../../base/json/parse-body.ts';
import { patchJson } from '../../base/json/patch-json.ts';
import type { YieldQueue } from '../../base/lib/yield-queue.ts';
import type { InferenceRequest } from '../../translation/contract/inference-request.ts';
import { MAX_ITEMS } from '../../translation/protocols/responses/request-schema.ts';
import { OVER_LIMIT, tooLong } from '../responses/too-long.ts';
import { itemsForAnother, type ModelItems } from './model-items.ts';

/** Returns the request with another input. Other requests get a turn before it is parsed. */
export async function withInput(
  request: InferenceRequest,
  modelItems: ModelItems,
  yieldQueue: YieldQueue,
): Promise<InferenceRequest | Refusal> {
  const text = textWithInput(request, modelItems);
  if (text instanceof Refusal) return text;
  await yieldQueue.next();
  return withBody(request, await parseBody(text, yieldQueue), modelItems);
}

/**
 * Returns the request for another model than the requested one. Clients send back reasoning that the
 * requested model encrypted, and another model cannot read it.
 */
export function withInputForAnother(
  request: InferenceRequest,
  { items, losses }: ModelItems,
): InferenceRequest | Refusal {
  if (!items.includes('"reasoning"')) return request;
  const another = itemsForAnother(items);
  const forAnother = { items: another.items, losses: [...losses, ...another.losses] };
  const text = textWithInput(request, forAnother);
  return text instanceof Refusal ? text : withBody(request, parseBodyAtOnce(text), forAnother);
}

function textWithInput({ body }: InferenceRequest, { items: input }: ModelItems): string | Refusal {
  const text = patchJson(body.text, body.members, { input });
  return Buffer.byteLength(text) > MAX_BODY_BYTES ? tooLong(OVER_LIMIT) : text;
}

function withBody(
  request: InferenceRequest,
  body: JsonBody | Refusal,
  { losses }: ModelItems,
): InferenceRequest | Refusal {
  if (body instanceof Refusal) return tooLong('The conversation contains too many values.');
  const items = body.value.input as unknown[]; // the input is a list of items, which this text has
  if (items.length > MAX_ITEMS) return tooLong(`The conversation has more than ${MAX_ITEMS} items.`);
  return { ...request, body, losses };
}

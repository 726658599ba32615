import { Refusal } from '../../base/errors/refusal.ts';
import { type JsonBody, type JsonObject, knownBody } from '../../base/json/json-body.ts';
import { isObject } from '../../base/lib/is-object.ts';
import type { Exchange } from '../../edge/http/exchange.ts';
import { jsonReply, type Reply } from '../../edge/http/reply.ts';
import { noteModel } from '../../inference/admission/read-request.ts';
import type { Services } from '../../inference/request/services.ts';
import type { Dialect } from '../../translation/contract/dialect.ts';
import { countPrompt } from '../count-tokens/count-prompt.ts';
import { findChatModel } from '../count-tokens/find-chat-model.ts';
import { refusePrompt } from '../count-tokens/refuse-prompt.ts';

/**
 * Counts the tokens of contents or of a whole request, free of charge.
 * The generating endpoint would refuse the same requests.
 */
export async function countGoogleTokens(
  exchange: Exchange,
  dialect: Dialect,
  services: Services,
): Promise<Reply | Refusal> {
  const principal = await services.authenticator.authenticateRead(exchange, dialect.keyHeader);
  if (principal instanceof Refusal) return principal;
  const clientBody = await services.readBody(exchange);
  if (clientBody instanceof Refusal) return clientBody;
  const whole = wholeRequest(clientBody);
  if (whole instanceof Refusal) return whole;
  const body = dialect.bodyAt!(whole, exchange.params);
  if (body instanceof Refusal) return body;
  noteModel(exchange, body.value['model']);
  const inferenceRequest = dialect.read(body);
  if (inferenceRequest instanceof Refusal) return inferenceRequest;
  const entry = findChatModel(exchange, principal, inferenceRequest.model);
  if (entry instanceof Refusal) return entry;
  const refusal = refusePrompt({ exchange, entry }, body, dialect);
  if (refusal) return refusal;
  const request = inferenceRequest.canonical!; // Google's dialect decodes each request that it reads
  const totalTokens = await countPrompt({ exchange, principal, entry, request }, services);
  return jsonReply(200, {
    totalTokens,
    promptTokensDetails: [{ modality: 'TEXT', tokenCount: totalTokens }],
  });
}

/** Returns the whole request that a count can have inside, or else the body itself. */
function wholeRequest(body: JsonBody): JsonBody | Refusal {
  const inner = body.value['generateContentRequest'] ?? body.value['generate_content_request'];
  if (inner === undefined) return body;
  if (isObject(inner)) return knownBody(JSON.stringify(inner), inner as JsonObject);
  return new Refusal('invalid_request', {
    param: 'generateContentRequest',
    message: 'generateContentRequest must be an object.',
  });
}

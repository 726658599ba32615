import { invalidParam } from '../../base/errors/invalid-param.ts';
import { Refusal } from '../../base/errors/refusal.ts';
import { type JsonBody, type JsonObject, knownBody } from '../../base/json/json-body.ts';
import { isObject } from '../../base/lib/is-object.ts';
import type { Exchange } from '../../edge/http/exchange.ts';
import { jsonReply, type Reply } from '../../edge/http/reply.ts';
import { noteModel } from '../../inference/admission/note-model.ts';
import type { Services } from '../../inference/request/services.ts';
import type { GoogleDialect } from '../../translation/protocols/google/google-dialect.ts';
import { countForModel } from '../count-tokens/count-for-model.ts';

/** Counts the tokens of contents or of a whole request, free of charge. */
export async function countGoogleTokens(
  exchange: Exchange,
  dialect: GoogleDialect,
  services: Services,
): Promise<Reply | Refusal> {
  const principal = await services.authenticator.authenticateRead(exchange, dialect.keyHeader);
  if (principal instanceof Refusal) return principal;
  const body = await readBodyToCount(exchange, dialect, services);
  if (body instanceof Refusal) return body;
  noteModel(exchange, body.value['model']);
  const request = dialect.codec.decodeRequest(body);
  if (request instanceof Refusal) return request;
  const totalTokens = await countForModel({ exchange, principal, body, request }, dialect, services);
  if (totalTokens instanceof Refusal) return totalTokens;
  return jsonReply(200, {
    totalTokens,
    // The counter does not divide a prompt by modality, and neither does the usage of answers.
    promptTokensDetails: [{ modality: 'TEXT', tokenCount: totalTokens }],
  });
}

/** Reads the body of the request to count, with what the address says. */
async function readBodyToCount(
  exchange: Exchange,
  dialect: GoogleDialect,
  { readBody }: Pick<Services, 'readBody'>,
): Promise<JsonBody | Refusal> {
  const body = await readBody(exchange);
  const requestBody = body instanceof Refusal ? body : requestIn(body);
  return requestBody instanceof Refusal ? requestBody : dialect.bodyAt(requestBody, exchange.params);
}

/** Returns the whole request that a body can have inside, or else the body itself. */
function requestIn(body: JsonBody): JsonBody | Refusal {
  const inner = body.value['generateContentRequest'] ?? body.value['generate_content_request'];
  if (inner === undefined) return body;
  if (isObject(inner)) return knownBody(JSON.stringify(inner), inner as JsonObject);
  return invalidParam('generateContentRequest', 'must be an object.');
}

import { Refusal } from '../../base/errors/refusal.ts';
import type { Exchange } from '../../edge/http/exchange.ts';
import { jsonReply, type Reply } from '../../edge/http/reply.ts';
import { noteModel } from '../../inference/admission/note-model.ts';
import type { Services } from '../../inference/request/services.ts';
import { inspectMessages } from '../../translation/protocols/messages/inspect-messages.ts';
import { messageNeeds } from '../../translation/protocols/messages/message-needs.ts';
import type { MessagesDialectCodec } from '../../translation/protocols/messages/messages-dialect-codec.ts';
import { refuseRemoved, VERSION_HEADER } from '../../translation/protocols/messages/protocol-version.ts';
import { countForModel } from './count-for-model.ts';

const rules = { needs: messageNeeds, inspect: inspectMessages };

/**
 * Counts the tokens of a prompt. No upstream is called and nothing is charged. Agents send dozens at a time
 * to show their context, so counts have the window of reads.
 */
export async function handleCountTokens(
  exchange: Exchange,
  codec: MessagesDialectCodec,
  services: Services,
): Promise<Reply | Refusal> {
  const principal = await services.authenticator.authenticateRead(exchange, 'either');
  if (principal instanceof Refusal) return principal;
  const body = await services.readBody(exchange);
  if (body instanceof Refusal) return body;
  noteModel(exchange, body.value['model']);
  const request =
    refuseRemoved(body.value, exchange.request.headers.get(VERSION_HEADER)) ?? codec.decodeCountRequest(body);
  if (request instanceof Refusal) return request;
  const inputTokens = await countForModel({ exchange, principal, body, request }, rules, services);
  return inputTokens instanceof Refusal ? inputTokens : jsonReply(200, { input_tokens: inputTokens });
}

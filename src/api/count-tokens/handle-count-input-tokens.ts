import { Refusal } from '../../base/errors/refusal.ts';
import { createValidator } from '../../base/schema/validator.ts';
import type { Exchange } from '../../edge/http/exchange.ts';
import { jsonReply, type Reply } from '../../edge/http/reply.ts';
import { noteModel } from '../../inference/admission/note-model.ts';
import type { Services } from '../../inference/request/services.ts';
import type { Dialect } from '../../translation/contract/dialect.ts';
import { checkPrompt } from '../../translation/protocols/responses/check-request.ts';
import { nameReferences } from '../../translation/protocols/responses/item-reference.ts';
import { responsesRequestSchema } from '../../translation/protocols/responses/request-schema.ts';
import { responseNeeds } from '../../translation/protocols/responses/response-needs.ts';
import { responsesDialect } from '../../translation/protocols/responses/responses-dialect-codec.ts';
import { withoutNullInput } from '../../translation/protocols/responses/without-null-input.ts';
import { countPrompt } from './count-prompt.ts';
import { findChatModel } from './find-chat-model.ts';
import { refusePrompt } from './refuse-prompt.ts';

const validate = createValidator(responsesRequestSchema);

/**
 * Counts the input of a response, the conversation that it continues included. No upstream is called and
 * nothing is charged. Counts have the window of reads.
 */
export async function handleCountInputTokens(
  exchange: Exchange,
  dialect: Dialect,
  services: Services,
): Promise<Reply | Refusal> {
  const principal = await services.authenticator.authenticateRead(exchange, 'bearer');
  if (principal instanceof Refusal) return principal;
  const clientBody = await services.readBody(exchange);
  if (clientBody instanceof Refusal) return clientBody;
  const body = withoutNullInput(clientBody);
  noteModel(exchange, body.value.model);
  nameReferences(body.value.input);
  const invalid = checkPrompt(body.value, validate);
  if (invalid) return invalid;
  const model = String(body.value.model);
  const entry = findChatModel(exchange, principal, model);
  if (entry instanceof Refusal) return entry;
  const conversation = await services.conversations.prepare({
    exchange,
    principal,
    request: { body, model, stream: false },
    dialect,
    entry,
    id: exchange.requestId,
    isRead: true,
  });
  if (conversation instanceof Refusal) return conversation;
  const { explain } = conversation;
  const whole = conversation.request.body;
  const refusal = refusePrompt({ exchange, entry }, whole, {
    needs: responseNeeds,
    inspect: dialect.inspect,
  });
  if (refusal) return explain(refusal);
  const request = responsesDialect.decodeRequest(whole);
  if (request instanceof Refusal) return explain(request);
  const inputTokens = await countPrompt({ exchange, principal, entry, request }, services);
  return jsonReply(200, { object: 'response.input_tokens', input_tokens: inputTokens });
}

import { Refusal } from '../../base/errors/refusal.ts';
import { createValidator } from '../../base/schema/validator.ts';
import type { Exchange } from '../../edge/http/exchange.ts';
import { jsonReply, type Reply } from '../../edge/http/reply.ts';
import { noteModel } from '../../inference/admission/read-request.ts';
import { consentOf } from '../../inference/qualification/consent-of.ts';
import { unmetNeed } from '../../inference/qualification/unmet-need.ts';
import { markSimulated } from '../../inference/request/mark-simulated.ts';
import type { Services } from '../../inference/request/services.ts';
import { isSimulated } from '../../settings/catalog/catalog.ts';
import type { Dialect } from '../../translation/contract/dialect.ts';
import { judgeFindings } from '../../translation/members/judge-findings.ts';
import { checkPrompt } from '../../translation/protocols/responses/check-request.ts';
import { nameReferences } from '../../translation/protocols/responses/item-reference.ts';
import { responsesRequestSchema } from '../../translation/protocols/responses/request-schema.ts';
import { responseNeeds } from '../../translation/protocols/responses/response-needs.ts';
import { responsesDialect } from '../../translation/protocols/responses/responses-dialect-codec.ts';
import { withoutNullInput } from '../../translation/protocols/responses/without-null-input.ts';
import { findChatModel } from './find-chat-model.ts';

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
  const asked = { body, model, stream: false };
  const conversation = await services.conversations.prepare({
    exchange,
    principal,
    request: asked,
    dialect,
    entry,
    id: exchange.requestId,
    isRead: true,
  });
  if (conversation instanceof Refusal) return conversation;
  const { request, explain } = conversation;
  const { value } = request.body;
  const unmet = unmetNeed(entry, responseNeeds, value);
  if (unmet) return explain(unmet);
  const judged = judgeFindings(
    { body: value, ...dialect.inspect(value) },
    consentOf({ exchange, entry, request }),
  );
  if (judged instanceof Refusal) return explain(judged);
  const decoded = responsesDialect.decodeRequest(request.body);
  if (decoded instanceof Refusal) return explain(decoded);
  const counter = services.counter.for({ account: principal.account.id, request: exchange.request });
  const inputTokens = await counter.countRequest(decoded, entry.counted);
  if (isSimulated(entry)) markSimulated(exchange); // the simulator's count
  return jsonReply(200, { object: 'response.input_tokens', input_tokens: inputTokens });
}

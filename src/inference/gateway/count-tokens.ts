import { Refusal } from '../../base/errors/refusal.ts';
import type { JsonBody } from '../../base/json/json-body.ts';
import type { Exchange } from '../../edge/http/exchange.ts';
import type { BodyReader } from '../../edge/http/read-body.ts';
import { jsonReply, type Reply } from '../../edge/http/reply.ts';
import type { Authenticator } from '../../money/auth/authenticate.ts';
import type { Principal } from '../../money/auth/principal.ts';
import { isSimulated } from '../../settings/catalog/catalog.ts';
import { judgeFindings } from '../../translation/members/judge-findings.ts';
import { inspectMessages } from '../../translation/protocols/messages/inspect-messages.ts';
import { messageNeeds } from '../../translation/protocols/messages/message-needs.ts';
import type { MessagesDialectCodec } from '../../translation/protocols/messages/messages-dialect-codec.ts';
import { refuseRemoved, VERSION_HEADER } from '../../translation/protocols/messages/protocol-version.ts';
import type { TokenCounter } from '../../translation/tokens/token-counter.ts';
import { admit } from '../admission/admit.ts';
import { unmetNeed } from '../admission/unmet-need.ts';
import { noteModel } from './gateway.ts';
import { consentOf } from './screen-request.ts';
import { tellSimulated } from './tell-simulated.ts';

export type CountingParts = {
  authenticator: Authenticator;
  readBody: BodyReader;
  counter: TokenCounter;
  codec: MessagesDialectCodec;
};

/**
 * Counts the tokens of a prompt. The generating endpoint would refuse the same requests. No upstream is called and nothing is charged.
 * Agents send dozens at a time to show their context, so counts have the window of reads.
 */
export async function handleCountTokens(exchange: Exchange, parts: CountingParts): Promise<Reply | Refusal> {
  const principal = await parts.authenticator.authenticateRead(exchange, 'either');
  if (principal instanceof Refusal) return principal;
  const body = await parts.readBody(exchange);
  if (body instanceof Refusal) return body;
  return countTokens(exchange, { principal, body }, parts);
}

async function countTokens(
  exchange: Exchange,
  { principal, body }: { principal: Principal; body: JsonBody },
  parts: CountingParts,
): Promise<Reply | Refusal> {
  noteModel(exchange, body.value['model']);
  const request =
    refuseRemoved(body.value, exchange.request.headers.get(VERSION_HEADER)) ??
    parts.codec.decodeCountRequest(body);
  if (request instanceof Refusal) return request;
  const permit = admit(exchange, principal, { name: request.model, kind: 'chat' });
  if (permit instanceof Refusal) return permit;
  exchange.notes.servedModel = permit.entry.model.id;
  const unmet = unmetNeed(permit.entry, messageNeeds, body.value);
  if (unmet) return unmet;
  const inspected = { body: body.value, ...inspectMessages(body.value) };
  const judged = judgeFindings(inspected, consentOf({ exchange, entry: permit.entry, request: { body } }));
  if (judged instanceof Refusal) return judged;
  const counter = parts.counter.for({ account: principal.account.id, request: exchange.request });
  const inputTokens = await counter.countRequest(request, permit.entry.counted);
  if (isSimulated(permit.entry)) tellSimulated(exchange); // the simulator's count
  return jsonReply(200, { input_tokens: inputTokens });
}

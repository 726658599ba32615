import { Refusal } from '../../base/errors/refusal.ts';
import type { JsonBody } from '../../base/json/json-body.ts';
import type { Exchange } from '../../edge/http/exchange.ts';
import type { Services } from '../../inference/request/services.ts';
import type { Principal } from '../../money/auth/principal.ts';
import type { CanonicalRequest } from '../../translation/canonical/request.ts';
import type { Dialect } from '../../translation/contract/dialect.ts';
import { countPrompt } from './count-prompt.ts';
import { findChatModel } from './find-chat-model.ts';
import { refusePrompt } from './refuse-prompt.ts';

type CountRequest = {
  exchange: Exchange;
  principal: Principal;
  body: JsonBody;
  /** The decoded body. */
  request: CanonicalRequest;
};

/** Counts the tokens of a prompt for its model. Refuses what the generating endpoint would refuse. */
export async function countForModel(
  { exchange, principal, body, request }: CountRequest,
  rules: Pick<Dialect, 'needs' | 'inspect'>,
  services: Services,
): Promise<number | Refusal> {
  const entry = findChatModel(exchange, principal, request.model);
  if (entry instanceof Refusal) return entry;
  const refusal = refusePrompt({ exchange, entry }, body, rules);
  return refusal ?? (await countPrompt({ exchange, principal, entry, request }, services));
}

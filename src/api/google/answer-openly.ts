import { Refusal } from '../../base/errors/refusal.ts';
import type { Exchange } from '../../edge/http/exchange.ts';
import type { Handler } from '../../edge/http/route.ts';
import type { RequestAuthenticator } from '../../money/auth/authenticator.ts';

/** Answers a request of the catalog, which needs no key and ignores an invalid one. */
export async function answerOpenly(
  exchange: Exchange,
  { authenticator }: { authenticator: RequestAuthenticator },
  answer: Handler,
) {
  const principal = await authenticator.authenticateRead(exchange, 'google');
  const isRefused = principal instanceof Refusal && principal.code === 'rate_limit_exceeded';
  return isRefused ? principal : answer(exchange);
}

import { Refusal } from '../../base/errors/refusal.ts';
import type { Operator } from '../../customers/operators/admin-token.ts';
import { clientNetwork } from '../../edge/http/client-network.ts';
import type { Exchange } from '../../edge/http/exchange.ts';
import type { AdminGate } from './admin-gate.ts';

const BEARER = /^Bearer +(\S+)$/i;

/** Returns the holder of the admin token that a request sends in its header. */
export async function identifyOperator(exchange: Exchange, gate: AdminGate): Promise<Operator | Refusal> {
  const header = exchange.request.headers.get('authorization')?.trim();
  if (!header) {
    return new Refusal('missing_api_key', {
      message: 'The admin token is missing. Send it as `Authorization: Bearer …`.',
    });
  }
  const bearerToken = BEARER.exec(header)?.[1];
  if (bearerToken === undefined)
    return new Refusal('invalid_api_key', { message: 'The admin token must be sent as `Bearer …`.' });
  return identifyToken(bearerToken, exchange, gate);
}

/** Returns the holder of a token. Wrong tokens of a network are slowed. */
export async function identifyToken(
  token: string,
  exchange: Exchange,
  { service, wrongTokens }: AdminGate,
): Promise<Operator | Refusal> {
  const operator = await service.identify(token);
  if (!(operator instanceof Refusal)) return operator;
  const tooMany = await wrongTokens.slow(clientNetwork(exchange));
  if (tooMany) return tooMany;
  return token.startsWith(exchange.snapshot.names.keyPrefix) ? refuseApiKey() : operator;
}

const refuseApiKey = (): Refusal =>
  new Refusal('invalid_api_key', {
    message: 'This is an API key. The admin API accepts only admin tokens.',
  });

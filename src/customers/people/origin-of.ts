import type { Exchange } from '../../edge/http/exchange.ts';
import { addressUsed, publicUrl } from '../../edge/http/public-url.ts';

/** An address under which browsers reach the server. */
export type AuthOrigin = { url: string; isSecure: boolean };

/** Returns the address that the browser uses. The listener for operators has its own. */
export function originOf(exchange: Exchange): AuthOrigin {
  const url = exchange.listener === 'operators' ? addressUsed(exchange) : publicUrl(exchange);
  return { url, isSecure: url.startsWith('https:') };
}

import { Refusal } from '../../base/errors/refusal.ts';
import type { Exchange } from '../../edge/http/exchange.ts';
import { addressUsed, publicUrl } from '../../edge/http/public-url.ts';

/**
 * Refuses a change that another site's page makes with the person's session. Browsers send `Origin` with
 * every request that is not a read, and no page can set it. It must have the host that the browser used: that
 * of the request, of `server.public_url`, or the one that a trusted proxy reports.
 */
export function requireSameOrigin(exchange: Exchange): Refusal | undefined {
  const { method, request } = exchange;
  if (method === 'GET' || method === 'HEAD') return undefined;
  const origin = request.headers.get('origin');
  const site = request.headers.get('sec-fetch-site');
  if (origin === null || !URL.canParse(origin) || (site !== null && site !== 'same-origin'))
    return fromElsewhere();
  const { host, origin: normal } = new URL(origin);
  const isOwn =
    host === request.headers.get('host') ||
    [publicUrl, addressUsed].some((addressOf) => originOf(addressOf(exchange)) === normal);
  return isOwn ? undefined : fromElsewhere();
}

const originOf = (address: string): string | undefined =>
  URL.canParse(address) ? new URL(address).origin : undefined;

const fromElsewhere = (): Refusal =>
  new Refusal('permission_denied', {
    message: 'The request does not come from a page of this server. Scripts use the admin API instead.',
  });

import { Refusal } from '../../base/errors/refusal.ts';
import type { Exchange } from '../../edge/http/exchange.ts';

/**
 * Refuses a change that another site's page makes with the person's session. Browsers send `Origin` with every request that is not a read,
 * and no page can set it. Its host must be the one that the request names.
 */
export function requireSameOrigin({ method, request }: Exchange): Refusal | undefined {
  if (method === 'GET' || method === 'HEAD') return undefined;
  const { headers } = request;
  const origin = headers.get('origin');
  const site = headers.get('sec-fetch-site');
  const isSame = origin !== null && URL.canParse(origin) && new URL(origin).host === headers.get('host');
  return isSame && (site === null || site === 'same-origin') ? undefined : fromElsewhere();
}

const fromElsewhere = (): Refusal =>
  new Refusal('permission_denied', {
    message: 'The request does not come from a page of this server. Scripts use the admin API instead.',
  });

import { MAX_BODY_BYTES } from '../../base/json/body-sizes.ts';
import { announcedLength } from './announced-length.ts';
import type { Exchange } from './exchange.ts';

/**
 * Reports whether a request has a body that was not read, because the request was refused earlier or does not
 * need it. The runtime discards the rest of it. `endless`: the body is over the limit or has no known length,
 * so the connection must close after the answer.
 */
export function unreadBody({ request, awaitsBody }: Exchange): 'short' | 'endless' | undefined {
  if (awaitsBody !== undefined || request.bodyUsed) return undefined;
  const { headers } = request;
  const length = announcedLength(headers);
  if (length === undefined) return headers.has('transfer-encoding') ? 'endless' : undefined;
  if (length === 0) return undefined;
  return length > MAX_BODY_BYTES ? 'endless' : 'short';
}

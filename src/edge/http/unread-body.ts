import { MAX_BODY_BYTES } from '../../base/json/body-sizes.ts';
import type { Exchange } from './exchange.ts';

/**
 * Whether a request has a body that nobody has read, because it was refused before or needs none. The runtime drops what still comes of it.
 * `endless`: more than any body may have, or of no known length; the connection must close behind the answer.
 */
export function unreadBody({ request, awaitsBody }: Exchange): 'short' | 'endless' | undefined {
  if (awaitsBody !== undefined || request.bodyUsed) return undefined;
  const { headers } = request;
  const announced = headers.get('content-length');
  if (announced === null) return headers.has('transfer-encoding') ? 'endless' : undefined;
  const length = Number.parseInt(announced, 10);
  if (length === 0) return undefined;
  return length > MAX_BODY_BYTES ? 'endless' : 'short';
}

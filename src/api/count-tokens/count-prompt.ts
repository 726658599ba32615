import type { Exchange } from '../../edge/http/exchange.ts';
import { markSimulated } from '../../inference/request/mark-simulated.ts';
import type { Services } from '../../inference/request/services.ts';
import type { Principal } from '../../money/auth/principal.ts';
import { type CatalogEntry, isSimulated } from '../../settings/catalog/catalog.ts';
import type { CanonicalRequest } from '../../translation/canonical/request.ts';

type CountedPrompt = {
  exchange: Exchange;
  principal: Principal;
  entry: CatalogEntry;
  request: CanonicalRequest;
};

/** Counts the tokens of a prompt. Accounts take turns. A count by the simulator says so in its headers. */
export async function countPrompt(
  { exchange, principal, entry, request }: CountedPrompt,
  services: Services,
): Promise<number> {
  const counter = services.counter.for({ account: principal.account.id, request: exchange.request });
  const tokens = await counter.countRequest(request, entry.counted);
  if (isSimulated(entry)) markSimulated(exchange);
  return tokens;
}

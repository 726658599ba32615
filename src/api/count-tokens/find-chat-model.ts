import { Refusal } from '../../base/errors/refusal.ts';
import type { Exchange } from '../../edge/http/exchange.ts';
import { findPermit } from '../../inference/admission/admit.ts';
import { refuseKind } from '../../inference/admission/refuse-kind.ts';
import { refuseUnlisted } from '../../inference/admission/refuse-model.ts';
import type { Principal } from '../../money/auth/principal.ts';
import type { CatalogEntry } from '../../settings/catalog/catalog.ts';

/**
 * Finds the chat model of a request that is not answered. The generating endpoint would refuse the same
 * requests.
 */
export function findChatModel(
  exchange: Exchange,
  principal: Principal,
  name: string,
): CatalogEntry | Refusal {
  const finding = findPermit(exchange, principal, { name, kind: 'chat' });
  if (finding instanceof Refusal) return finding;
  const { excluded, permit } = finding;
  const { entry } = permit;
  exchange.notes.servedModel = entry.model.id;
  return excluded ?? refuseUnlisted({ principal, entry }) ?? refuseKind(entry, 'chat') ?? entry;
}

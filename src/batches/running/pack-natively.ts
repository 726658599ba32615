import { Refusal } from '../../base/errors/refusal.ts';
import {
  type AuthenticatedRequest,
  estimateFor,
  type Gateway,
  readRequest,
} from '../../inference/gateway/gateway.ts';
import { type OpenedTab, openTab } from '../../inference/gateway/open-tab.ts';
import type { QualifiedRequest } from '../../inference/gateway/qualified-request.ts';
import { carriages } from '../../inference/stream/carriages.ts';
import type { Target } from '../../settings/hosts/target.ts';
import type { Carriage, Dialect } from '../../translation/contract/dialect.ts';
import { VERSION_HEADER } from '../../translation/protocols/messages/protocol-version.ts';
import { isNativeWire, nativeWireOf } from '../native/native-wires.ts';
import type { Packed } from '../native/packed.ts';

/** Admits a request and packs it for a provider's own batch. Its hold stays until the answer arrives. */
export async function packNatively(
  authenticated: AuthenticatedRequest,
  dialect: Dialect,
  gateway: Gateway,
): Promise<Packed | Refusal> {
  const qualified = await readRequest(authenticated, dialect, gateway);
  if (qualified instanceof Refusal) return qualified;
  const opened = await openTab(gateway.till, qualified);
  if (opened instanceof Refusal) return opened;
  const { tab } = opened;
  try {
    const found = findCarriage(qualified, opened, gateway);
    if (found instanceof Refusal) return found;
    const named = qualified.exchange.request.headers.get(VERSION_HEADER);
    return { ...found, held: tab.leave(), version: found.carriage.isOwnProtocol ? named : null };
  } finally {
    await tab.close(); // voids the hold, unless the item keeps it
  }
}

type Found = { target: Target; carriage: Carriage };

/** Finds the first target with native batches that can carry the request. */
function findCarriage(
  qualified: QualifiedRequest,
  { request }: OpenedTab,
  gateway: Gateway,
): Found | Refusal {
  const { exchange, dialect, permit, id } = qualified;
  const { entry } = permit;
  const { wires } = gateway;
  const estimate = estimateFor({ entry, request }, qualified, gateway);
  const only = (request.answers ?? 1) > 1 ? { only: 'same-wire' as const } : {};
  const { learned } = gateway.routing;
  const asked = { exchange, dialect, request, entry, id, wires, estimate, learned };
  const carriageTo = carriages({ ...asked, ...only });
  let refusal: Refusal | undefined;
  for (const target of entry.targets) {
    if (nativeWireOf(target) === undefined) continue;
    const carriage = carriageTo(target);
    if (carriage instanceof Refusal) refusal ??= carriage;
    else if (isNativeWire(carriage.wire)) return { target, carriage };
  }
  return refusal ?? new Refusal('native_batch_unavailable');
}

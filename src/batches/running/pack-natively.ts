import { Refusal } from '../../base/errors/refusal.ts';
import { Carrier } from '../../inference/carriage/carrier.ts';
import { prepareInference } from '../../inference/gateway/prepare-inference.ts';
import type { Inference } from '../../inference/request/inference.ts';
import type { Target } from '../../settings/hosts/target.ts';
import type { Carriage } from '../../translation/contract/carriage.ts';
import { VERSION_HEADER } from '../../translation/protocols/messages/protocol-version.ts';
import { isNativeWire, type NativeWire, nativeWireOf } from '../native/native-wire.ts';
import type { PackedRequest } from '../native/packed-request.ts';

/** Admits a request and packs it for a provider's own batch. Its hold stays until the answer arrives. */
export async function packNatively(inference: Inference): Promise<PackedRequest | Refusal> {
  const refusal = await prepareInference(inference);
  if (refusal) return refusal;
  const { tab, exchange } = inference;
  try {
    const native = findCarriage(inference);
    if (native instanceof Refusal) return native;
    const version = native.carriage.isOwnProtocol ? exchange.request.headers.get(VERSION_HEADER) : null;
    return { ...native, held: tab.leave(), version };
  } finally {
    await tab.close(); // voids the hold, unless the item keeps it
  }
}

type NativeCarriage = { target: Target; wire: NativeWire; carriage: Carriage };

/** Finds the first target with native batches that can carry the request. */
function findCarriage(inference: Inference): NativeCarriage | Refusal {
  const { request, entry } = inference;
  const carrier = new Carrier(inference, (request.answers ?? 1) > 1 ? { only: 'same-wire' } : {});
  let refusal: Refusal | undefined;
  for (const target of entry.targets) {
    if (nativeWireOf(target) === undefined) continue;
    const carriage = carrier.carriageAtOnce(target);
    if (carriage instanceof Refusal) {
      refusal ??= carriage;
      continue;
    }
    const { wire } = carriage;
    if (isNativeWire(wire)) return { target, wire, carriage };
  }
  return refusal ?? new Refusal('native_batch_unavailable');
}

import type { Target } from '../../settings/hosts/target.ts';
import type { Wire } from '../../translation/canonical/wire.ts';

/** The wires whose vendors have a batch API. */
export const nativeWires = ['anthropic-messages', 'openai-chat', 'openai-responses'] as const;
export type NativeWire = (typeof nativeWires)[number];

export const isNativeWire = (wire: Wire): wire is NativeWire =>
  (nativeWires as readonly Wire[]).includes(wire);

/** The wire of a target's native batches. Undefined if the vendor has none or they are not enabled. */
export const nativeWireOf = ({ provider, wires }: Target): NativeWire | undefined =>
  provider.batch === 'native' && provider.mode === 'live' ? wires.find(isNativeWire) : undefined;

import type { Target } from '../../settings/hosts/target.ts';
import type { Wire } from '../../translation/canonical/wire.ts';
import type { BatchCallObserver } from '../../upstream/calling/provider-observers.ts';
import { anthropicTransport } from './anthropic-transport.ts';
import type { NativeTransport } from './native-transport.ts';
import { openaiTransport } from './openai-transport.ts';
import { watchTransport } from './watch-transport.ts';

/** The transports of the wires whose vendors have a batch API. */
export const nativeTransports: Readonly<Partial<Record<Wire, NativeTransport>>> = {
  'anthropic-messages': anthropicTransport,
  'openai-chat': openaiTransport,
  'openai-responses': openaiTransport,
};

/** Returns the same transports, with an observer of their calls. */
export const watchedTransports = (observe: BatchCallObserver): typeof nativeTransports =>
  Object.fromEntries(
    Object.entries(nativeTransports).map(([wire, transport]) => [wire, watchTransport(transport, observe)]),
  );

export const isNativeWire = (wire: Wire): boolean => nativeTransports[wire] !== undefined;

/**
 * Returns the wire for a target's native batches.
 * Returns undefined if the target has none, or they are not enabled.
 */
export const nativeWireOf = ({ provider, wires }: Target): Wire | undefined =>
  provider.batch === 'native' && provider.mode === 'live' ? wires.find(isNativeWire) : undefined;

import type { Target } from '../../../settings/hosts/target.ts';
import type { Wire } from '../../../translation/canonical/wire.ts';
import { anthropicTransport } from './anthropic-transport.ts';
import type { NativeTransport } from './native-transport.ts';
import { openAiTransport } from './openai-transport.ts';

/** The wires whose vendors have batches, and how these are spoken to. */
export const nativeTransports: Readonly<Partial<Record<Wire, NativeTransport>>> = {
  'anthropic-messages': anthropicTransport,
  'openai-chat': openAiTransport,
  'openai-responses': openAiTransport,
};

export const isNativeWire = (wire: Wire): boolean => nativeTransports[wire] !== undefined;

/** The wire on which a target's own batches may be used; undefined: they may not, or it has none. */
export const nativeWireOf = ({ provider, wires }: Target): Wire | undefined =>
  provider.batch === 'native' && provider.mode === 'live' ? wires.find(isNativeWire) : undefined;

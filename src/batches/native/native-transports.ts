import { anthropicTransport } from './anthropic-transport.ts';
import type { NativeTransport } from './native-transport.ts';
import type { NativeWire } from './native-wire.ts';
import { openaiTransport } from './openai-transport.ts';

/** The batch API of each wire's vendor. */
export const nativeTransports: Readonly<Record<NativeWire, NativeTransport>> = {
  'anthropic-messages': anthropicTransport,
  'openai-chat': openaiTransport,
  'openai-responses': openaiTransport,
};

import { hostDefaults } from '../host-defaults.ts';
import type { Provider } from '../providers.ts';

/** Returns a live provider with a key, on the wire of OpenAI's chat completions unless it is given. */
export const sampleProvider = (fields: Partial<Provider> = {}): Provider => ({
  id: 'vendor',
  wires: ['openai-chat'],
  baseUrl: 'http://vendor.invalid/v1',
  apiKey: 'the-key',
  mode: 'live',
  ...hostDefaults,
  ...fields,
});

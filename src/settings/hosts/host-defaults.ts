import type { ReservedField } from '../../translation/canonical/reserved-field.ts';
import type { Provider } from './providers.ts';

/** The settings of a provider without a row of the configuration. */
export const hostDefaults = {
  keyHeader: null,
  query: '',
  quirks: [],
  refuses: [],
  cloud: null,
  headers: {},
  forwardHeaders: null,
  allowFields: new Set<ReservedField>(),
  isInside: false,
  maxConcurrent: null,
  batch: 'none',
  probe: null,
  timeouts: { connectMs: 5_000, firstByteMs: 120_000, idleMs: 60_000, totalMs: 1_800_000 },
  missingVariables: [],
  source: 'built-in',
} as const satisfies Omit<Provider, 'id' | 'wires' | 'baseUrl' | 'apiKey' | 'mode'>;

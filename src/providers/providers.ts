import type { Wire } from '../canonical/wire.ts';

/** Where a provider's answers come from: itself, the built-in simulator in its place, or nowhere (no credentials). */
export type ProviderMode = 'live' | 'simulated' | 'not-set-up';

/** A host that serves models. */
export type Provider = {
  id: string;
  wires: readonly Wire[];
  baseUrl: string;
  apiKey: string | null;
  headers: Readonly<Record<string, string>>;
  maxConcurrent: number | null;
  batch: 'none' | 'native';
  timeouts: { connectMs: number; firstByteMs: number; idleMs: number; totalMs: number };
  mode: ProviderMode;
  /** `file`: the configuration's; `built-in`: a row of our own table. */
  source: 'file' | 'built-in';
};

export type Providers = ReadonlyMap<string, Provider>;

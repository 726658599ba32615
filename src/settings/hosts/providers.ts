import type { Quirk, UpstreamKeyHeader } from '../../translation/canonical/quirk.ts';
import type { ReservedField } from '../../translation/canonical/reserved-field.ts';
import type { Wire } from '../../translation/canonical/wire.ts';
import type { AwsCredentials } from './aws-credentials.ts';

/** Where a provider's answers come from: itself, the built-in simulator in its place, or nowhere (no credentials). */
export type ProviderMode = 'live' | 'simulated' | 'not-set-up';

export type AwsAccess = { credentials: AwsCredentials; region: string };

/** A host that serves models. */
export type Provider = {
  id: string;
  wires: readonly Wire[];
  baseUrl: string;
  apiKey: string | null;
  /** The header that its key goes in; null: that of the wire. */
  keyHeader: UpstreamKeyHeader | null;
  /** Goes with every call, ready for the address; empty for none. */
  query: string;
  quirks: readonly Quirk[];
  /** Signs each request in place of a key. */
  aws: AwsAccess | null;
  headers: Readonly<Record<string, string>>;
  /** The client's headers that travel on where it speaks the provider's protocol; null: those of the wire's vendor. */
  forwardHeaders: readonly string[] | null;
  /** What it may get of requests that needs the operator's consent. */
  allowFields: ReadonlySet<ReservedField>;
  /** Within the operator's network, from where addresses lead that are nobody's business. */
  isInside: boolean;
  maxConcurrent: number | null;
  batch: 'none' | 'native';
  /** Asks it now and then whether it is there; null: never. */
  probe: { intervalMs: number; path: string } | null;
  timeouts: { connectMs: number; firstByteMs: number; idleMs: number; totalMs: number };
  mode: ProviderMode;
  /** `file`: the configuration's; `built-in`: a row of our own table; `found`: one of these, on this machine. */
  source: 'file' | 'built-in' | 'found';
};

export type Providers = ReadonlyMap<string, Provider>;

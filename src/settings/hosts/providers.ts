import type { Quirk } from '../../translation/canonical/quirk.ts';
import type { ReservedField } from '../../translation/canonical/reserved-field.ts';
import type { UpstreamKeyHeader } from '../../translation/canonical/upstream-key-header.ts';
import type { Wire } from '../../translation/canonical/wire.ts';
import type { UnusableRow } from '../stored/stored-rows.ts';
import type { CloudPlan } from './cloud-plan.ts';
import type { ProviderCredential } from './provider-credential.ts';

/** The source of a provider's answers: the provider, the built-in simulator, or none (no credentials). */
export type ProviderMode = 'live' | 'simulated' | 'not-set-up';

/** The credential with which a provider in a cloud is called instead of a key. */
export type CloudAccess = { plan: CloudPlan; credential: ProviderCredential };

/** A host that serves models. */
export type Provider = {
  id: string;
  wires: readonly Wire[];
  baseUrl: string;
  apiKey: string | null;
  /** The header of the key. `null` means the header of the wire. */
  keyHeader: UpstreamKeyHeader | null;
  /** The encoded query of every call, or an empty text. */
  query: string;
  quirks: readonly Quirk[];
  /** The words that the host refuses of every model. */
  refuses: readonly string[];
  /** The credential of a cloud in place of a key. */
  cloud: CloudAccess | null;
  headers: Readonly<Record<string, string>>;
  /**
   * Client headers to forward if the client speaks the provider's protocol. `null` means the headers of the
   * wire's vendor.
   */
  forwardHeaders: readonly string[] | null;
  /** Members of requests that the operator allows for this provider. */
  allowFields: ReadonlySet<ReservedField>;
  /**
   * True if the provider is in the operator's network, where URLs in requests could reach internal services.
   */
  isInside: boolean;
  maxConcurrent: number | null;
  batch: 'none' | 'native';
  /** The regular health check. `null` means none. */
  probe: { intervalMs: number; path: string } | null;
  timeouts: { connectMs: number; firstByteMs: number; idleMs: number; totalMs: number };
  mode: ProviderMode;
  /** The required environment variables of a built-in provider that are not set. */
  missingVariables: readonly string[];
  source: ProviderSource;
  /** The stored row, if operators have stored the provider. */
  stored?: StoredFacts;
};

/**
 * `file`: from the configuration. `environment`: a built-in host whose variables are set. `built-in`: another
 * one. `found`: a local server that was found. `stored`: made by form or API.
 */
export type ProviderSource = 'file' | 'environment' | 'built-in' | 'found' | 'stored';

export type StoredFacts = {
  revision: number;
  /** The time at which the credential was set. */
  credentialSetAt: number | null;
  /** The reason why the row cannot be used. Its provider gets no requests. */
  unusable: UnusableRow | null;
};

export type Providers = ReadonlyMap<string, Provider>;

import { isPrivateHost } from '../../base/lib/private-host.ts';
import { msOf } from '../../base/lib/units.ts';
import type { ProviderRow } from '../config/config-schema.ts';
import type { StoredProvider } from '../stored/stored-rows.ts';
import { hostDefaults } from './host-defaults.ts';
import { noCredential } from './no-credential.ts';
import { planOfRow } from './plan-of-row.ts';
import type { ProviderSurroundings } from './provider-surroundings.ts';
import type { CloudAccess, Provider } from './providers.ts';
import { vertexAddress } from './vertex-plan.ts';

type RowSurroundings = Pick<ProviderSurroundings, 'environment' | 'credentialOf'>;

/** Builds a provider of the configuration file. It needs no key, as many local servers. */
export function providerOfRow(row: ProviderRow, surroundings: RowSurroundings): Provider {
  const baseUrl = addressOfRow(row);
  const { connect_ms, first_byte_ms, idle_ms, total_ms } = row.timeouts;
  return {
    id: row.id,
    wires: row.wires ?? (row.wire ? [row.wire] : []),
    missingVariables: [],
    baseUrl,
    apiKey: row.api_key || null,
    keyHeader: row.key_header,
    query: new URLSearchParams(row.query).toString(),
    quirks: row.quirks,
    refuses: row.refuses,
    cloud: cloudAccess(row, surroundings),
    headers: row.headers,
    forwardHeaders: row.forward_headers,
    allowFields: new Set(row.allow_fields),
    isInside: isPrivateHost(new URL(baseUrl).hostname),
    maxConcurrent: row.max_concurrent,
    batch: row.batch,
    probe: row.probe && { intervalMs: msOf(row.probe.interval_s), path: row.probe.path },
    timeouts: { connectMs: connect_ms, firstByteMs: first_byte_ms, idleMs: idle_ms, totalMs: total_ms },
    mode: 'live',
    source: 'file',
  };
}

/** Builds a provider that operators have stored. An unusable one has no address, and gets no requests. */
export function providerOfStored(
  { row, id, revision, credentialSetAt, unusable }: StoredProvider,
  surroundings: RowSurroundings,
): Provider {
  const facts = { source: 'stored', stored: { revision, credentialSetAt, unusable } } as const;
  if (row) return { ...providerOfRow(row, surroundings), ...facts };
  return { id, wires: [], baseUrl: '', apiKey: null, ...hostDefaults, mode: 'not-set-up', ...facts };
}

function cloudAccess(
  row: ProviderRow,
  { environment, credentialOf = noCredential }: RowSurroundings,
): CloudAccess | null {
  const plan = planOfRow(row, environment);
  return plan && { plan, credential: credentialOf(row.id, plan) };
}

/** The configuration check ensures that a row without an address is one of Google. */
const addressOfRow = ({ base_url, google }: ProviderRow): string =>
  (base_url ?? vertexAddress(google?.region ?? 'global')).replace(/\/+$/, '');

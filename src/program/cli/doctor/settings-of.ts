import { buildProviders } from '../../../settings/hosts/build-providers.ts';
import { placeholderSimulator } from '../../../settings/hosts/simulator-provider.ts';
import { buildSnapshot } from '../../../settings/snapshot/build-snapshot.ts';
import { wires } from '../../../translation/canonical/wire.ts';
import { CredentialRegistry } from '../../../upstream/credentials/credential-registry.ts';
import type { DoctorInput, Settings } from './check.ts';

/**
 * Returns the settings of the running server, or builds the settings of the configuration. An invalid
 * catalog, which another check reports, has no models.
 */
export async function settingsOf({ config, environment, running }: DoctorInput): Promise<Settings> {
  if (running !== undefined) return running;
  const around = {
    environment,
    simulator: placeholderSimulator(config),
    supportedWires: new Set(wires),
    generation: 0,
    credentialOf: new CredentialRegistry().of,
  };
  const locate = () => ({ line: 0, column: 0 }); // another check reports problems with their places
  const built = await buildSnapshot({ config, locate, file: null }, around);
  if ('problems' in built) return { providers: buildProviders(config, around), catalog: [] };
  const { providers, catalog } = built.snapshot;
  return { providers, catalog: catalog.entries };
}

import type { Environment } from '../../base/lib/environment.ts';
import type { StoredProvider } from '../stored/stored-rows.ts';
import type { CredentialFactory } from './provider-credential.ts';
import type { SimulatorAddress } from './simulator-provider.ts';

/** The facts that decide about the providers apart from the configuration. */
export type ProviderSurroundings = {
  environment: Environment;
  /** `null` means that the simulator does not run. */
  simulator: SimulatorAddress | null;
  /** The ids of the local servers that were found. */
  found?: ReadonlySet<string>;
  /** Creates the credentials of providers in clouds. Without it, their calls fail. */
  credentialOf?: CredentialFactory;
  /** True if a local server has offered models since the process started, even if it has stopped. */
  hasServedLocally?: boolean;
  /** The providers that operators have stored. Those with an id of the file or the environment are unused. */
  stored?: readonly StoredProvider[];
};

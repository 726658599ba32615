import { type CatalogEntry, isAvailable, isSimulated } from '../../../settings/catalog/catalog.ts';
import { buildProviders, SIMULATOR_ID, simulatorWanted } from '../../../settings/hosts/build-providers.ts';
import type { Provider } from '../../../settings/hosts/providers.ts';
import { buildSnapshot } from '../../../settings/snapshot/build-snapshot.ts';
import { wires } from '../../../translation/canonical/wire.ts';
import { faultRemedies } from '../../../upstream/calling/provider-fault.ts';
import { CredentialRegistry } from '../../../upstream/credentials/credential-registry.ts';
import { type ConnectProblem, canConnect, endpointOf } from './connect.ts';
import {
  asMend,
  type Check,
  type DoctorInput,
  type Finding,
  fail,
  ok,
  type Settings,
  warn,
} from './finding.ts';
import { hasCredentials } from './try-key.ts';

const CHECK = 'providers';

export const checkProviders: Check = async (input) => {
  const { providers, catalog } = await settingsOf(input);
  const all = [...providers.values()];
  const live = await Promise.all(all.filter(({ mode }) => mode === 'live').map(checkReach));
  return [
    ...live.flat(),
    ...aboutModels(catalog),
    ...aboutOthers(all),
    ...aboutRoutes({ providers, catalog }),
    ...aboutNone(all),
  ];
};

/**
 * Builds the providers and the catalog of the configuration.
 * An invalid catalog, which another check reports, has no models.
 */
export async function settingsOf({ config, environment, running }: DoctorInput): Promise<Settings> {
  if (running !== undefined) return running;
  // The simulator is never called here. Its address only marks providers as simulated.
  const simulator = simulatorWanted(config) ? { url: 'http://127.0.0.1', apiKey: '' } : null;
  const credentialOf = new CredentialRegistry().of;
  const around = { environment, simulator, spoken: new Set(wires), generation: 0, credentialOf };
  const locate = () => ({ line: 0, column: 0 }); // another check reports problems with their places
  const built = await buildSnapshot({ config, locate, file: null }, around);
  if ('problems' in built) return { providers: buildProviders(config, around), catalog: [] };
  const { providers, catalog } = built.snapshot;
  return { providers, catalog: catalog.entries };
}

async function checkReach(provider: Provider): Promise<Finding[]> {
  const endpoint = endpointOf(provider.baseUrl);
  if (endpoint === undefined) {
    return [fail(CHECK, `the base_url of ${provider.id} is not a URL`, 'correct base_url')];
  }
  const problem = await canConnect(endpoint);
  const place = `${provider.id} at ${endpoint.host}:${endpoint.port}`;
  const reached =
    problem === undefined
      ? ok(CHECK, `${place} is reachable`)
      : fail(CHECK, `${place} cannot be reached: ${problem.reason}`, mendOf(problem));
  return hasCredentials(provider) ? [reached] : [reached, withoutKey(provider, endpoint.host)];
}

const mendOf = ({ isOfCertificate }: ConnectProblem): string =>
  isOfCertificate ? asMend(faultRemedies.certificate) : 'correct base_url, or start the provider';

const LOOPBACK = /^(localhost|127\.\d+\.\d+\.\d+|::1)$/;

/** Local servers often need no key. Remote providers almost always need one. */
function withoutKey({ id }: Provider, host: string): Finding {
  if (LOOPBACK.test(host)) return ok(CHECK, `${id} is called without a key`);
  return warn(CHECK, `${id} has no api_key`, 'set api_key, unless the provider needs no key');
}

/** Says how many models providers answer for, and which ones the simulator answers for. */
function aboutModels(catalog: readonly CatalogEntry[]): Finding[] {
  const answering = catalog.filter(isAvailable);
  const simulated = answering.filter(isSimulated).map(({ model }) => model.id);
  const real = answering.length - simulated.length;
  const away = catalog.length - answering.length;
  const isAll = simulated.length > 0 && real === 0;
  const named = isAll ? 'all models that can be called' : simulated.join(', ');
  return [
    ...(real > 0 ? [ok(CHECK, `models with a provider: ${real}`)] : []),
    ...(simulated.length > 0 ? [ok(CHECK, `simulated, free of charge: ${named}`)] : []),
    ...(away > 0 ? [ok(CHECK, `models without a provider, which cannot be called: ${away}`)] : []),
  ];
}

/** Names the variables of the built-in providers without credentials. */
function aboutOthers(providers: readonly Provider[]): Finding[] {
  const missing = providers.filter(({ missingVariables }) => missingVariables.length > 0);
  const named = missing.map(({ id, missingVariables }) => `${id} (${missingVariables.join(', ')})`);
  return named.length > 0 ? [ok(CHECK, `not set up, with the variables to set: ${named.join('; ')}`)] : [];
}

/** Warns of routes to the simulator that it does not serve, because a provider is live. */
function aboutRoutes({ providers, catalog }: Settings): Finding[] {
  const isIdle = ({ provider }: { provider: string }) =>
    provider === SIMULATOR_ID && providers.get(provider)?.mode === 'not-set-up';
  const ids = catalog.filter(({ model }) => model.routes.some(isIdle)).map(({ model }) => model.id);
  if (ids.length === 0) return [];
  const message = `the simulator does not answer for ${ids.join(', ')}, because a provider is live`;
  return [warn(CHECK, message, 'set simulator.mode to on, or remove these routes')];
}

function aboutNone(providers: readonly Provider[]): Finding[] {
  if (providers.some(({ mode }) => mode !== 'not-set-up')) return [];
  return [
    fail(
      CHECK,
      'no provider can be called',
      "configure a provider, set a built-in provider's key, or set simulator.mode to auto",
    ),
  ];
}

import { isLoopback } from '../../../base/lib/is-loopback.ts';
import { type CatalogEntry, isAvailable, isSimulated } from '../../../settings/catalog/catalog.ts';
import type { Provider } from '../../../settings/hosts/providers.ts';
import { SIMULATOR_ID } from '../../../settings/hosts/simulator-provider.ts';
import { faultRemedies } from '../../../upstream/calling/provider-fault.ts';
import { causeOfUnusable, unusableRemedies } from '../../../upstream/calling/unusable-cause.ts';
import type { Check, Settings } from './check.ts';
import { type Finding, fail, ok, warn } from './finding.ts';
import { asMessage, asRemedy } from './finding-text.ts';
import { hasCredentials } from './has-credentials.ts';
import { settingsOf } from './settings-of.ts';
import { type ConnectProblem, endpointOf, tryConnection } from './try-connection.ts';

const CHECK = 'providers';

/** Checks that providers can be reached and have keys, and that the models have providers. */
export const checkProviders: Check = async (input) => {
  const { providers, catalog } = await settingsOf(input);
  const rows = [...providers.values()];
  const reachFindings = await Promise.all(rows.filter(({ mode }) => mode === 'live').map(checkReach));
  return [
    ...reachFindings.flat(),
    ...modelFindings(catalog),
    ...unusableFindings(rows),
    ...missingVariableFindings(rows),
    ...simulatorRouteFindings({ providers, catalog }),
    ...noProviderFindings(rows),
  ];
};

async function checkReach(provider: Provider): Promise<Finding[]> {
  const endpoint = endpointOf(provider.baseUrl);
  if (endpoint === undefined) {
    return [fail(CHECK, `the base_url of ${provider.id} is not a URL`, 'correct base_url')];
  }
  const problem = await tryConnection(endpoint);
  const place = `${provider.id} at ${endpoint.host}:${endpoint.port}`;
  const reach =
    problem === undefined
      ? ok(CHECK, `${place} is reachable`)
      : fail(CHECK, `${place} cannot be reached: ${problem.reason}`, remedyOf(problem));
  return hasCredentials(provider) ? [reach] : [reach, missingKeyFinding(provider, endpoint.host)];
}

const remedyOf = ({ isOfCertificate }: ConnectProblem): string =>
  isOfCertificate ? asRemedy(faultRemedies.certificate) : 'correct base_url, or start the provider';

/** Local servers often need no key. Remote providers almost always need one. */
function missingKeyFinding({ id }: Provider, host: string): Finding {
  if (isLoopback(host)) return ok(CHECK, `${id} is called without a key`);
  return warn(CHECK, `${id} has no api_key`, 'set api_key, unless the provider needs no key');
}

/** Says how many models providers answer for, and which ones the simulator answers for. */
function modelFindings(catalog: readonly CatalogEntry[]): Finding[] {
  const answering = catalog.filter(isAvailable);
  const simulated = answering.filter(isSimulated).map(({ model }) => model.id);
  const real = answering.length - simulated.length;
  const unavailable = catalog.length - answering.length;
  const simulatedText = real === 0 ? 'all models that can be called' : simulated.join(', ');
  const messages = [
    real > 0 && `models with a provider: ${real}`,
    simulated.length > 0 && `simulated, free of charge: ${simulatedText}`,
    unavailable > 0 && `models without a provider, which cannot be called: ${unavailable}`,
  ];
  return messages.filter((message) => message !== false).map((message) => ok(CHECK, message));
}

/** Names the stored providers that get no calls, because their rows or credentials cannot be used. */
const unusableFindings = (providers: readonly Provider[]): Finding[] =>
  providers.flatMap(({ id, stored }) =>
    stored?.unusable
      ? [
          fail(
            CHECK,
            `${id} gets no calls: ${asMessage(stored.unusable.reason)}`,
            asRemedy(unusableRemedies[causeOfUnusable(stored.unusable.kind)]),
          ),
        ]
      : [],
  );

/** Names the variables of the built-in providers without credentials. */
function missingVariableFindings(providers: readonly Provider[]): Finding[] {
  const missing = providers.filter(({ missingVariables }) => missingVariables.length > 0);
  if (missing.length === 0) return [];
  const texts = missing.map(({ id, missingVariables }) => `${id} (${missingVariables.join(', ')})`);
  return [ok(CHECK, `not set up, with the variables to set: ${texts.join('; ')}`)];
}

/** Warns of routes to the simulator that it does not serve, because a provider is live. */
function simulatorRouteFindings({ providers, catalog }: Settings): Finding[] {
  const isIdle = ({ provider }: { provider: string }) =>
    provider === SIMULATOR_ID && providers.get(provider)?.mode === 'not-set-up';
  const ids = catalog.filter(({ model }) => model.routes.some(isIdle)).map(({ model }) => model.id);
  if (ids.length === 0) return [];
  const message = `the simulator does not answer for ${ids.join(', ')}, because a provider is live`;
  return [warn(CHECK, message, 'set simulator.mode to on, or remove these routes')];
}

function noProviderFindings(providers: readonly Provider[]): Finding[] {
  if (providers.some(({ mode }) => mode !== 'not-set-up')) return [];
  const mend = "configure a provider, set a built-in provider's key, or set simulator.mode to auto";
  return [fail(CHECK, 'no provider can be called', mend)];
}

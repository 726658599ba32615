import { buildProviders, simulatorWanted } from '../../../settings/hosts/build-providers.ts';
import type { Provider } from '../../../settings/hosts/providers.ts';
import { canConnect, endpointOf } from './connect.ts';
import { type Check, type Finding, fail, ok, warn } from './finding.ts';

const CHECK = 'providers';

export const checkProviders: Check = async ({ config, environment }) => {
  const simulator = simulatorWanted(config) ? { url: 'http://127.0.0.1', apiKey: '' } : null;
  const providers = [...buildProviders(config, { environment, simulator }).values()];
  const inMode = (mode: Provider['mode']): Provider[] =>
    providers.filter((provider) => provider.mode === mode);
  const live = await Promise.all(inMode('live').map(checkLive));
  return [...live.flat(), ...aboutOthers(inMode('simulated'), inMode('not-set-up')), ...aboutNone(providers)];
};

async function checkLive(provider: Provider): Promise<Finding[]> {
  const endpoint = endpointOf(provider.baseUrl);
  if (endpoint === undefined) {
    return [fail(CHECK, `the base_url of ${provider.id} is not a URL`, 'correct base_url')];
  }
  const problem = await canConnect(endpoint);
  const place = `${provider.id} at ${endpoint.host}:${endpoint.port}`;
  const reached =
    problem === undefined
      ? ok(CHECK, `${place} is reachable`)
      : fail(CHECK, `${place} cannot be reached: ${problem}`, 'correct base_url, or start the provider');
  return hasCredentials(provider) ? [reached] : [reached, withoutKey(provider, endpoint.host)];
}

const hasCredentials = ({ apiKey, aws, headers }: Provider): boolean =>
  apiKey !== null || aws !== null || Object.keys(headers).length > 0;

const LOOPBACK = /^(localhost|127\.\d+\.\d+\.\d+|::1)$/;

/** Local servers often need no key. Remote providers almost always need one. */
function withoutKey({ id }: Provider, host: string): Finding {
  if (LOOPBACK.test(host)) return ok(CHECK, `${id} is called without a key`);
  return warn(CHECK, `${id} has no api_key`, 'set api_key, unless the provider needs no key');
}

function aboutOthers(simulated: readonly Provider[], notSetUp: readonly Provider[]): Finding[] {
  const named = (providers: readonly Provider[]): string => providers.map(({ id }) => id).join(', ');
  return [
    ...(simulated.length > 0 ? [ok(CHECK, `simulated: ${named(simulated)}`)] : []),
    ...(notSetUp.length > 0
      ? [ok(CHECK, `not used, since they have no credentials: ${named(notSetUp)}`)]
      : []),
  ];
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

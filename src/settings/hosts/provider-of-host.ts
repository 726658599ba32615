import type { Environment } from '../../base/lib/environment.ts';
import { hasUsableHost } from '../config/has-usable-host.ts';
import { fillAddress, requiredVariables } from './fill-address.ts';
import { hostDefaults } from './host-defaults.ts';
import type { Host } from './hosts.ts';
import { noCredential } from './no-credential.ts';
import type { ProviderSurroundings } from './provider-surroundings.ts';
import type { Provider } from './providers.ts';
import { missingForVertex, vertexAddress, vertexPlan } from './vertex-plan.ts';

/** Builds the provider of a built-in host. It is live if the variables of the host are set. */
export function providerOfHost(host: Host, surroundings: ProviderSurroundings): Provider {
  const { environment } = surroundings;
  const { id, wires, keyVariables } = host;
  if (host.cloud === 'google') return vertexProvider(host, surroundings) ?? missingVertex(host, environment);
  const apiKey = keyVariables.map((name) => environment[name]).find((value) => value);
  const address = addressOfHost(host, environment);
  if (apiKey !== undefined && 'baseUrl' in address)
    return { id, wires, ...hostDefaults, ...address, apiKey, mode: 'live', source: 'environment' };
  return missingProvider(host, environment, [
    // Any of the key variables is enough, and the first is the vendor's own.
    ...(apiKey === undefined ? keyVariables.slice(0, 1) : []),
    ...('missing' in address ? address.missing : []),
  ]);
}

/**
 * Builds the provider of a host whose variables are missing. The simulator can stand in for it, in its form.
 */
function missingProvider(
  { id, wires, baseUrl: template, quirks = [], refuses = [] }: Host,
  environment: Environment,
  missingVariables: readonly string[],
): Provider {
  const filled = fillAddress(template, environment);
  const baseUrl = 'address' in filled ? filled.address : template;
  const form = { ...hostDefaults, quirks, refuses };
  return { id, wires, ...form, baseUrl, apiKey: null, missingVariables, mode: 'not-set-up' };
}

/** The variable of Vertex AI has a project, which is no key. */
const missingVertex = (host: Host, environment: Environment): Provider =>
  missingProvider(host, environment, [missingForVertex(environment)]);

/**
 * Builds the provider of Vertex AI with application default credentials. Returns undefined if the environment
 * has no project.
 */
function vertexProvider(
  { id, wires }: Host,
  { environment, credentialOf = noCredential }: ProviderSurroundings,
): Provider | undefined {
  const plan = vertexPlan(environment);
  if (plan === undefined) return undefined;
  return {
    id,
    wires,
    ...hostDefaults,
    baseUrl: vertexAddress(plan.region),
    apiKey: null,
    cloud: { plan, credential: credentialOf(id, plan) },
    mode: 'live',
    source: 'environment',
  };
}

type HostAddress = Pick<Provider, 'baseUrl' | 'query' | 'keyHeader' | 'quirks' | 'refuses'>;

/** Builds the address and settings of a host, or names the environment variables that are missing. */
function addressOfHost(host: Host, environment: Environment): HostAddress | { missing: string[] } {
  const base = fillAddress(host.baseUrl, environment);
  const missing = 'missing' in base ? base.missing : [];
  const query: [string, string][] = [];
  for (const [name, template] of Object.entries(host.query ?? {})) {
    const filled = fillAddress(template, environment);
    if ('missing' in filled) missing.push(...filled.missing);
    else query.push([name, filled.address]);
  }
  if ('missing' in base) return { missing };
  // An address from the environment that cannot be called is as good as none.
  if (!hasUsableHost(base.address)) return { missing: [...requiredVariables(host.baseUrl), ...missing] };
  if (missing.length > 0) return { missing };
  const { keyHeader = null, quirks = [], refuses = [] } = host;
  return { baseUrl: base.address, query: new URLSearchParams(query).toString(), keyHeader, quirks, refuses };
}

import { Refusal } from '../../base/errors/refusal.ts';
import type { Fields } from '../../base/schema/json-type.ts';

/** The servers of each cloud to which anybody may send the credential of this machine. */
const CLOUD_SERVERS = {
  google: /^([a-z0-9-]+\.)*googleapis\.com$/,
  azure: /^[a-z0-9-]+\.(openai|cognitiveservices|services\.ai)\.azure\.(com|us|cn)$/,
} as const;

/** The fields in which the request can have a credential instead. A section of Google has none. */
const OWN_CREDENTIALS = { google: 'api_key', azure: 'azure.client_secret or api_key' } as const;

/**
 * Refuses an address outside a cloud for a provider that uses the credential of this machine, such as its
 * managed identity. An operator who is not an owner must not be able to send it to any server. The signatures
 * of AWS are valid for their own server alone.
 */
export function refuseMachineCredential(fields: Fields): Refusal | undefined {
  const { base_url: address } = fields;
  const cloud = (['google', 'azure'] as const).find((name) => usesMachine(name, fields));
  if (cloud === undefined || typeof address !== 'string') return undefined;
  const { protocol, hostname } = new URL(address);
  if (protocol === 'https:' && CLOUD_SERVERS[cloud].test(hostname)) return undefined;
  const message = `base_url is no server of the cloud whose credential this machine has. Only an owner can send the credential there. Otherwise send a credential in ${OWN_CREDENTIALS[cloud]}.`;
  return new Refusal('permission_denied', { message, param: 'base_url' });
}

/** Reports whether the credential is not in the section of the cloud itself. */
function usesMachine(cloud: keyof typeof CLOUD_SERVERS, fields: Fields): boolean {
  const section = fields[cloud] as Readonly<Record<string, unknown>> | null | undefined;
  if (!section) return false;
  const { client_secret, source = 'auto' } = section;
  const isOwn = cloud === 'azure' && client_secret && (source === 'auto' || source === 'client_secret');
  return !isOwn;
}

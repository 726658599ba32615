import { isLoopback } from '../../base/lib/is-loopback.ts';
import { isMetadataHost } from '../../base/lib/is-metadata-host.ts';
import { isPrivateHost } from '../../base/lib/private-host.ts';
import { CredentialFailure } from '../../settings/hosts/provider-credential.ts';

/**
 * The service at an address, which decides who may be asked in plain HTTP. `service`: a token service.
 * `local`: a metadata server or an identity service that a variable names. `metadata`: a metadata server that
 * a file names. `container`: a service for containers, which the caller has checked.
 */
export type TokenServiceKind = 'service' | 'local' | 'metadata' | 'container';

/**
 * The address of a token service. Requests to a local one go through no proxy, which would learn the secret.
 */
export type TokenAddress = { host: string; isDirect: boolean };

const speaksPlain: Readonly<Record<TokenServiceKind, (hostname: string) => boolean>> = {
  service: isLoopback,
  local: isPrivateHost,
  metadata: (hostname) => isLoopback(hostname) || isMetadataHost(hostname),
  container: () => true,
};

/**
 * Checks the address of a token service: secrets go through plain HTTP only where no other machine can read
 * them.
 */
export function checkedAddress(url: string, source: string, kind: TokenServiceKind): TokenAddress {
  const parsed = URL.parse(url);
  if (parsed === null) throw new CredentialFailure(source, 'the address of the token service is not a URL');
  const { protocol, hostname, host } = parsed;
  const isPlain = protocol === 'http:' && speaksPlain[kind](hostname);
  if (protocol !== 'https:' && !isPlain)
    throw new CredentialFailure(source, `${host || 'the token service'} must be reached with https`);
  return { host, isDirect: isPlain };
}

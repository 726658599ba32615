import { isLoopback } from '../../base/lib/is-loopback.ts';
import { isMetadataHost } from '../../base/lib/is-metadata-host.ts';
import { isPrivateHost } from '../../base/lib/private-host.ts';
import { CredentialFailure } from '../../settings/hosts/provider-credential.ts';

/** The kind of a token service. It decides which hosts may be asked over plain HTTP. */
export type TokenServiceKind =
  /** A token service: plain HTTP only on this machine. */
  | 'service'
  /** A metadata server or an identity service that a variable names: plain HTTP in private networks. */
  | 'local'
  /** A metadata server that a file names: plain HTTP on this machine and at the addresses of metadata. */
  | 'metadata'
  /** A service for containers: plain HTTP anywhere, since the caller has checked the address. */
  | 'container';

export type TokenAddress = {
  host: string;
  /** True for plain HTTP, which goes through no proxy because a proxy would learn the secret. */
  isDirect: boolean;
};

const speaksPlain: Readonly<Record<TokenServiceKind, (hostname: string) => boolean>> = {
  service: isLoopback,
  local: isPrivateHost,
  metadata: (hostname) => isLoopback(hostname) || isMetadataHost(hostname),
  container: () => true,
};

/** Refuses plain HTTP to a token service outside of the hosts that its kind allows. */
export function checkedAddress(url: string, source: string, kind: TokenServiceKind): TokenAddress {
  const parsed = URL.parse(url);
  if (parsed === null) throw new CredentialFailure(source, 'the address of the token service is not a URL');
  const { protocol, hostname, host } = parsed;
  const isPlain = protocol === 'http:' && speaksPlain[kind](hostname);
  if (protocol !== 'https:' && !isPlain)
    throw new CredentialFailure(source, `${host || 'the token service'} must be reached with https`);
  return { host, isDirect: isPlain };
}

import { isIPv6 } from 'node:net';
import { embeddedIpv4 } from './embedded-ipv4.ts';
import { plainHost } from './plain-host.ts';

/** The services of clouds that give an identity to whoever asks on their machines. */
// biome-ignore format: a line for each group
const METADATA_HOSTS = new Set([
  '169.254.169.254', 'fd00:ec2::254', 'fd20:ce::254', 'metadata.google.internal', 'metadata.goog',
  '100.100.100.200', '169.254.170.2', '169.254.170.23', 'fd00:ec2::23',
]);

/**
 * Reports whether a host is a metadata server of a cloud, or a service that gives credentials to containers.
 */
export function isMetadataHost(hostname: string): boolean {
  const name = plainHost(hostname);
  return METADATA_HOSTS.has((isIPv6(name) && embeddedIpv4(name)) || name);
}

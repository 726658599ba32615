import { isIPv6 } from 'node:net';
import { embeddedIpv4 } from './embedded-ipv4.ts';
import { plainHost } from './plain-host.ts';

/** The services that give an identity to every program on a machine, by the cloud. */
const METADATA_HOSTS = {
  'AWS, Azure, Google Cloud, Oracle Cloud': ['169.254.169.254'],
  'AWS EC2': ['fd00:ec2::254'],
  'AWS ECS': ['169.254.170.2'],
  'AWS EKS': ['169.254.170.23', 'fd00:ec2::23'],
  'Google Cloud': ['fd20:ce::254', 'metadata.google.internal', 'metadata.goog'],
  'Alibaba Cloud': ['100.100.100.200'],
};

const allHosts = new Set(Object.values(METADATA_HOSTS).flat());

/**
 * Reports whether a host is a metadata server of a cloud, or a service that gives credentials to containers.
 * An IPv6 address also counts if it leads to such an IPv4 address.
 */
export function isMetadataHost(hostname: string): boolean {
  const name = plainHost(hostname);
  const embedded = isIPv6(name) ? embeddedIpv4(name) : undefined;
  return allHosts.has(embedded ?? name);
}

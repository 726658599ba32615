import { createHash } from 'node:crypto';
import type { CloudAccess, Provider } from './providers.ts';

/**
 * Derives a mark that identifies an account at a vendor and reveals nothing about its key. A new key or
 * secret in the configuration counts as a new account, since a key does not say whose it is.
 */
export const accountMark = ({ baseUrl, apiKey, cloud }: Provider): string =>
  createHash('sha256')
    .update(JSON.stringify([baseUrl, apiKey, ...identityOf(cloud)]))
    .digest('base64url')
    .replaceAll(/[^A-Za-z0-9]/g, '')
    .slice(0, 12);

/** Temporary credentials are left out, so an account stays the same when a cloud issues new ones. */
function identityOf(cloud: CloudAccess | null): readonly unknown[] {
  if (cloud === null) return [undefined, undefined];
  const { environment: _, ...plan } = cloud.plan;
  return plan.kind === 'aws' && plan.accessKeyId !== null ? [plan.accessKeyId, plan.secretAccessKey] : [plan];
}

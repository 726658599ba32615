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

/** Secrets that a cloud issues for a time are left out, so the account stays the same when they change. */
function identityOf(cloud: CloudAccess | null): readonly unknown[] {
  // Answers that clients keep have marks made of these two members.
  if (cloud === null) return [null, null];
  const { environment: _, ...plan } = cloud.plan;
  if (plan.kind !== 'aws' || plan.accessKeyId === null) return [plan];
  const key = [plan.accessKeyId, plan.secretAccessKey];
  return plan.assumeRole === null ? key : [...key, plan.assumeRole.roleArn];
}

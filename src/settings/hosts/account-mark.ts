import { createHash } from 'node:crypto';
import type { Provider } from './providers.ts';

/** Derives a mark that identifies an account at a vendor and reveals nothing about its key. */
export const accountMark = ({ baseUrl, apiKey, aws }: Provider): string =>
  createHash('sha256')
    .update(JSON.stringify([baseUrl, apiKey, aws?.credentials.accessKeyId, aws?.credentials.secretAccessKey]))
    .digest('base64url')
    .replaceAll(/[^A-Za-z0-9]/g, '')
    .slice(0, 12);

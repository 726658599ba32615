import { createHash } from 'node:crypto';
import type { Provider } from './providers.ts';

/** Tells one account at a vendor from another, and nothing else to whoever has not got its key. */
export const accountMark = ({ baseUrl, apiKey, aws }: Provider): string =>
  createHash('sha256')
    .update(JSON.stringify([baseUrl, apiKey, aws?.credentials.accessKeyId, aws?.credentials.secretAccessKey]))
    .digest('base64url')
    .replaceAll(/[^A-Za-z0-9]/g, '')
    .slice(0, 12);

import type { Principal } from '../auth/principal.ts';
import type { CheckedVersions } from './gate.ts';

/** Returns the versions that the gate compares with the current ones. */
export const checkedVersions = ({ account, apiKey }: Principal): CheckedVersions => ({
  account: account.version,
  key: apiKey.version,
});

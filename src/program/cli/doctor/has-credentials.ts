import type { Provider } from '../../../settings/hosts/providers.ts';

/** Reports whether requests to a provider carry a key, the secret of a cloud, or headers of the operator. */
export const hasCredentials = ({ apiKey, cloud, headers }: Provider): boolean =>
  apiKey !== null || cloud !== null || Object.keys(headers).length > 0;

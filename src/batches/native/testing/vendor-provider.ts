import type { Provider } from '../../../settings/hosts/providers.ts';

/** Returns a provider whose vendor is a server of the test at this port. */
export const vendorProvider = (port: number | undefined): Provider =>
  ({
    id: 'one',
    baseUrl: `http://127.0.0.1:${port}/v1`,
    apiKey: 'key',
    cloud: null,
    headers: {},
    query: '',
  }) as unknown as Provider;

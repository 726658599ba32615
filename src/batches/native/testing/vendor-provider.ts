import type { Provider } from '../../../settings/hosts/providers.ts';
import { sampleProvider } from '../../../settings/hosts/testing/sample-provider.ts';

/** Returns a provider whose vendor is a server of the test at this port. */
export const vendorProvider = (port: number | undefined): Provider =>
  sampleProvider({ id: 'one', baseUrl: `http://127.0.0.1:${port}/v1`, apiKey: 'key' });

import type { Config } from '../../settings/config/config-schema.ts';
import { simulatorWanted } from '../../settings/hosts/simulator-provider.ts';

/**
 * Returns an address that marks providers as simulated, or null if the configuration wants no simulator. A
 * check of settings never calls it.
 */
export const markedSimulator = (config: Config): { url: string; apiKey: string } | null =>
  simulatorWanted(config) ? { url: 'http://127.0.0.1', apiKey: '' } : null;

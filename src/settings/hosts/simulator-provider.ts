import { wires } from '../../translation/canonical/wire.ts';
import type { Config } from '../config/config-schema.ts';
import { hostDefaults } from './host-defaults.ts';
import type { Provider } from './providers.ts';

/** The address and the key of the built-in simulator. */
export type SimulatorAddress = { url: string; apiKey: string };

/** The provider id of the built-in simulator for an operator's own targets, on every wire. */
export const SIMULATOR_ID = 'simulator';

/** Reports whether the configuration has the simulator run. */
export const wantsSimulator = (config: Config): boolean => config.simulator.mode !== 'off';

/**
 * Returns a placeholder for the simulator's address, or null if the configuration has no simulator. A check
 * of a configuration needs an address and never connects to it.
 */
export const placeholderSimulator = (config: Config): SimulatorAddress | null =>
  wantsSimulator(config) ? { url: 'http://127.0.0.1', apiKey: '' } : null;

/** Builds the provider for an operator's own routes to the simulator. */
export const simulatorProvider = (
  simulator: SimulatorAddress,
  mode: 'simulated' | 'not-set-up',
): Provider => ({
  id: SIMULATOR_ID,
  wires,
  baseUrl: simulator.url,
  apiKey: simulator.apiKey,
  ...hostDefaults,
  mode,
});

/** Returns a provider with the simulator in its place. A provider with credentials stays as it is. */
export const simulatedProvider = (provider: Provider, simulator: SimulatorAddress): Provider =>
  provider.mode === 'live'
    ? provider
    : {
        ...provider,
        baseUrl: simulator.url,
        apiKey: simulator.apiKey,
        mode: 'simulated',
        quirks: provider.quirks.filter((quirk) => quirk !== 'deployment-in-path'),
      };

import type { Check } from './check.ts';
import { settingsOf } from './settings-of.ts';
import { tryKey } from './try-key.ts';

/** Tries the keys of all live providers at the same time. This check alone calls providers. */
export const checkLive: Check = async (input) => {
  const { providers, catalog } = await settingsOf(input);
  const live = [...providers.values()].filter(({ mode }) => mode === 'live');
  return (await Promise.all(live.map((provider) => tryKey(provider, catalog)))).flat();
};

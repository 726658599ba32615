import { ask, CHAT, onConnections, userTurn, writeBody } from './ask.ts';
import type { Attack } from './attack.ts';

/** One account that takes more than its share: of a provider's places, and by requests that are many. */
export const shareAttacks: readonly Attack[] = [
  {
    name: 'all places of a provider',
    plan: 'enterprise',
    ms: 6_000,
    statuses: [200, 503],
    models: ['narrow-late-50'],
    bystander: { model: 'narrow-late-50' },
    run(siege) {
      const body = writeBody('narrow-late-50', { messages: userTurn('hello'), max_tokens: 8 });
      return onConnections(siege, 64, () => ask(siege, CHAT, { body }), { isBilled: true });
    },
  },
  {
    name: 'n = 128, Free',
    plan: 'free',
    ms: 4_000,
    statuses: [200, 429],
    run(siege) {
      const body = writeBody('quick', { messages: userTurn('hello'), n: 128, max_tokens: 8 });
      return onConnections(siege, 20, () => ask(siege, CHAT, { body }), { isBilled: true });
    },
  },
  {
    name: 'lists of 128 prompts',
    plan: 'enterprise',
    ms: 6_000,
    statuses: [200, 429, 503],
    run(siege) {
      const prompt = Array.from({ length: siege.scaled(128) }, (_, index) => `say ${index}`);
      const body = writeBody('quick', { prompt, max_tokens: 8 });
      return onConnections(siege, 8, () => ask(siege, '/v1/completions', { body }), { isBilled: true });
    },
  },
];

import { ask, CHAT, onConnections, userTurn, writeBody } from './ask.ts';
import type { Attack } from './attack.ts';

/** Attacks of one account that takes more than its share. */
export const shareAttacks: readonly Attack[] = [
  {
    name: 'all places of a provider',
    plan: 'enterprise',
    ms: 6_000,
    statuses: [200, 503],
    models: ['narrow-late-50'],
    bystander: { model: 'narrow-late-50' },
    run(session) {
      const body = writeBody('narrow-late-50', { messages: userTurn('hello'), max_tokens: 8 });
      return onConnections(session, 64, () => ask(session, CHAT, { body }), { isBilled: true });
    },
  },
  {
    name: 'n = 128, Free',
    plan: 'free',
    ms: 4_000,
    statuses: [200, 429],
    run(session) {
      const body = writeBody('quick', { messages: userTurn('hello'), n: 128, max_tokens: 8 });
      return onConnections(session, 20, () => ask(session, CHAT, { body }), { isBilled: true });
    },
  },
  {
    name: 'lists of 128 prompts',
    plan: 'enterprise',
    ms: 6_000,
    statuses: [200, 429, 503],
    run(session) {
      const prompt = Array.from({ length: session.scaled(128) }, (_, index) => `say ${index}`);
      const body = writeBody('quick', { prompt, max_tokens: 8 });
      return onConnections(session, 8, () => ask(session, '/v1/completions', { body }), { isBilled: true });
    },
  },
];

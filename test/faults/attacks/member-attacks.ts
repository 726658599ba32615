import { ask, CHAT, onConnections, userTurn } from './ask.ts';
import type { Attack } from './attack.ts';

/**
 * Members in another case. The upstream answers 500 to a body that has one, which no client may then see as
 * 200.
 */
const variants = { Model: 'expensive', N: 64, Max_Tokens: 100_000, STREAM: true, Models: ['expensive'] };

export const memberAttacks: readonly Attack[] = [
  {
    name: 'members in another case',
    plan: 'enterprise',
    ms: 4_000,
    statuses: [200],
    run(session) {
      const body = { model: 'quick', messages: userTurn('hello'), max_tokens: 8, ...variants };
      return onConnections(session, 4, () => ask(session, CHAT, { body }), { isBilled: true });
    },
  },
];

import { seededRandom } from '../../../src/base/lib/testing/seeded-random.ts';
import { ask, onConnections, userTurn, writeBody } from './ask.ts';
import type { Attack } from './attack.ts';

/** Returns random letters. They contain no words, so counting them takes longest. */
function randomLetters(length: number): string {
  const random = seededRandom(1);
  const codes = Uint8Array.from({ length }, () => 97 + Math.floor(random() * 26));
  return Buffer.from(codes).toString('latin1');
}

export const countAttacks: readonly Attack[] = [
  {
    name: 'four counts of 9 MB of letters',
    plan: 'enterprise',
    ms: 8_000,
    statuses: [200, 503, 529],
    run(session) {
      const body = writeBody('quick', { messages: userTurn(randomLetters(session.scaled(9_000_000))) });
      return onConnections(session, 4, () => ask(session, '/v1/messages/count_tokens', { body }));
    },
  },
];

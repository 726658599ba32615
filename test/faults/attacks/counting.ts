import { ask, onConnections, userTurn, written } from './ask.ts';
import type { Attack } from './attack.ts';

/** Letters without a word among them, the slowest text that there is to count. */
function letters(length: number): string {
  let seed = 1;
  const codes = Uint8Array.from({ length }, () => {
    seed = (seed * 1_103_515_245 + 12_345) % 2_147_483_648;
    return 97 + ((seed >> 8) % 26);
  });
  return Buffer.from(codes).toString('latin1');
}

export const counting: readonly Attack[] = [
  {
    name: 'four counts of 9 MB of letters',
    plan: 'enterprise',
    ms: 8_000,
    statuses: [200, 503, 529],
    run(siege) {
      const body = written('quick', { messages: userTurn(letters(siege.scaled(9_000_000))) });
      return onConnections(siege, 4, () => ask(siege, '/v1/messages/count_tokens', { body }));
    },
  },
];

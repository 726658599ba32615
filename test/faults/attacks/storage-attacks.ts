import { ask, MEGABYTE, onConnections, writeBody } from './ask.ts';
import type { Attack, AttackSession } from './attack.ts';

const ITEMS = 30;
const ITEM_BYTES = 98 * 1024;

const failingBatch = ({ scale }: AttackSession): string =>
  JSON.stringify({
    requests: Array.from({ length: ITEMS }, (_, index) => ({
      custom_id: `item-${index}`,
      params: { model: 'unknown', messages: [], filler: 'x'.repeat(Math.ceil(ITEM_BYTES * scale)) },
    })),
  });

const storedMedia = (session: AttackSession): string => {
  const image_url = `data:image/png;base64,${'A'.repeat(session.scaled(2 * MEGABYTE))}`;
  const input = [{ role: 'user', content: [{ type: 'input_image', image_url }] }];
  return writeBody('quick', { max_output_tokens: 20, store: true, input });
};

const CONNECTIONS = 8;
const LIMITED = { ms: 6_000, statuses: [200, 429] } as const;

const mediaAttack = (name: string, plan: Attack['plan']): Attack => ({
  ...LIMITED,
  name,
  plan,
  run(session) {
    const body = storedMedia(session);
    return onConnections(session, CONNECTIONS, () => ask(session, '/v1/responses', { body }), {
      isBilled: true,
    });
  },
});

/** Attacks that fill free storage, by batches whose items all fail and by stored media. */
export const storageAttacks: readonly Attack[] = [
  {
    ...LIMITED,
    name: 'batches whose items all fail',
    plan: 'free',
    run(session) {
      const body = failingBatch(session);
      return onConnections(session, CONNECTIONS, () => ask(session, '/v1/batches', { body }));
    },
  },
  mediaAttack('stored media, Free', 'free'),
  mediaAttack('stored media, no rate limit', 'enterprise'),
];

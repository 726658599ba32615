import { ask, MEGABYTE, onConnections, written } from './ask.ts';
import type { Attack, Siege } from './attack.ts';

/** Free storage that is filled: by batches whose items all fail, and by stored media. */
const KB = 1024;
const ITEMS = 30;

const failingBatch = ({ scale }: Siege): string =>
  JSON.stringify({
    requests: Array.from({ length: ITEMS }, (_, index) => ({
      custom_id: `item-${index}`,
      params: { model: 'unknown', messages: [], filler: 'x'.repeat(Math.ceil(98 * KB * scale)) },
    })),
  });

const storedMedia = (siege: Siege): string => {
  const image_url = `data:image/png;base64,${'A'.repeat(siege.scaled(2 * MEGABYTE))}`;
  const input = [{ role: 'user', content: [{ type: 'input_image', image_url }] }];
  return written('quick', { max_output_tokens: 20, store: true, input });
};

const common = { ms: 6_000, statuses: [200, 429] } as const;

export const storageAttacks: readonly Attack[] = [
  {
    ...common,
    name: 'batches whose items all fail',
    plan: 'free',
    run(siege) {
      const body = failingBatch(siege);
      return onConnections(siege, 8, () => ask(siege, '/v1/batches', { body }));
    },
  },
  {
    ...common,
    name: 'stored media, Free',
    plan: 'free',
    run(siege) {
      const body = storedMedia(siege);
      return onConnections(siege, 8, () => ask(siege, '/v1/responses', { body }), { isBilled: true });
    },
  },
  {
    ...common,
    name: 'stored media, no rate limit',
    plan: 'enterprise',
    run(siege) {
      const body = storedMedia(siege);
      return onConnections(siege, 8, () => ask(siege, '/v1/responses', { body }), { isBilled: true });
    },
  },
];

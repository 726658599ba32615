import { ask, MEGABYTE, onConnections, writeBody } from './ask.ts';
import type { Attack, Siege } from './attack.ts';

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
  return writeBody('quick', { max_output_tokens: 20, store: true, input });
};

const PACE = { ms: 6_000, statuses: [200, 429] } as const;

/** Stores large media over 8 connections. */
const storeMedia: Attack['run'] = (siege) => {
  const body = storedMedia(siege);
  return onConnections(siege, 8, () => ask(siege, '/v1/responses', { body }), { isBilled: true });
};

/** Attacks that fill free storage, by batches whose items all fail and by stored media. */
export const storageAttacks: readonly Attack[] = [
  {
    ...PACE,
    name: 'batches whose items all fail',
    plan: 'free',
    run(siege) {
      const body = failingBatch(siege);
      return onConnections(siege, 8, () => ask(siege, '/v1/batches', { body }));
    },
  },
  {
    ...PACE,
    name: 'stored media, Free',
    plan: 'free',
    run: storeMedia,
  },
  {
    ...PACE,
    name: 'stored media, no rate limit',
    plan: 'enterprise',
    run: storeMedia,
  },
];

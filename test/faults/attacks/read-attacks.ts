import type { Json } from '../../support/call.ts';
import { ask, MEGABYTE, onConnections, writeBody } from './ask.ts';
import type { Attack, Siege } from './attack.ts';

/** Reads and quotes of a long conversation by a Free key, over forty connections. */
const CONNECTIONS = 40;
const TURNS = 3;

/** Returns the id of a conversation of 9 MB, whose last turn is a few words. */
async function longConversation(siege: Siege): Promise<string> {
  const bytes = siege.scaled(3 * MEGABYTE);
  const image_url = `data:image/png;base64,${'A'.repeat(bytes)}`;
  const media = [{ role: 'user', content: [{ type: 'input_image', image_url }] }];
  let previous: string | null = null;
  for (const input of [...Array(TURNS).fill(media), 'hi'] as unknown[]) {
    const body = writeBody('quick', { max_output_tokens: 20, input, previous_response_id: previous });
    const answer = await ask(siege, '/v1/responses', { body });
    if (answer?.status !== 200) throw new Error(`no conversation: ${answer?.status} ${answer?.text}`);
    previous = (answer.body as Json).id;
  }
  return previous!;
}

const PACE = { plan: 'free', ms: 6_000, statuses: [200, 429], prepare: longConversation } as const;

export const readAttacks: readonly Attack[] = [
  {
    ...PACE,
    name: 'pages of a 9 MB conversation',
    run: (siege, id) =>
      onConnections(siege, CONNECTIONS, () => ask(siege, `/v1/responses/${id}/input_items?limit=1`)),
  },
  {
    ...PACE,
    name: 'quotes on a 9 MB conversation',
    run: (siege, id) =>
      onConnections(siege, CONNECTIONS, () =>
        ask(siege, '/v1/quote', { body: writeBody('quick', { input: 'hi', previous_response_id: id }) }),
      ),
  },
  {
    ...PACE,
    name: 'searches in a 9 MB conversation',
    statuses: [400, 429],
    run: (siege, id) =>
      onConnections(siege, CONNECTIONS, (number) =>
        ask(siege, `/v1/responses/${id}/input_items?after=msg_${number}`),
      ),
  },
];

import type { Json } from '../../support/call.ts';
import { ask, MEGABYTE, onConnections, writeBody } from './ask.ts';
import type { Attack, AttackSession } from './attack.ts';

const CONNECTIONS = 40;
const TURNS = 3;

/** Returns the id of a conversation of 9 MB, whose last turn is a few words. */
async function longConversation(session: AttackSession): Promise<string> {
  const bytes = session.scaled(3 * MEGABYTE);
  const image_url = `data:image/png;base64,${'A'.repeat(bytes)}`;
  const media = [{ role: 'user', content: [{ type: 'input_image', image_url }] }];
  let previous: string | null = null;
  for (const input of [...Array(TURNS).fill(media), 'hi'] as unknown[]) {
    const body = writeBody('quick', { max_output_tokens: 20, input, previous_response_id: previous });
    const answer = await ask(session, '/v1/responses', { body });
    if (answer?.status !== 200) throw new Error(`no conversation: ${answer?.status} ${answer?.text}`);
    previous = (answer.body as Json).id;
  }
  return previous!;
}

const LIMITED = { plan: 'free', ms: 6_000, statuses: [200, 429], prepare: longConversation } as const;

/** Reads and quotes of a long conversation by a Free key. */
export const readAttacks: readonly Attack[] = [
  {
    ...LIMITED,
    name: 'pages of a 9 MB conversation',
    run: (session, id) =>
      onConnections(session, CONNECTIONS, () => ask(session, `/v1/responses/${id}/input_items?limit=1`)),
  },
  {
    ...LIMITED,
    name: 'quotes on a 9 MB conversation',
    run: (session, id) =>
      onConnections(session, CONNECTIONS, () =>
        ask(session, '/v1/quote', { body: writeBody('quick', { input: 'hi', previous_response_id: id }) }),
      ),
  },
  {
    ...LIMITED,
    name: 'searches in a 9 MB conversation',
    statuses: [400, 429],
    run: (session, id) =>
      onConnections(session, CONNECTIONS, (number) =>
        ask(session, `/v1/responses/${id}/input_items?after=msg_${number}`),
      ),
  },
];

import { ask, CHAT, onConnections, userTurn, writeBody } from './ask.ts';
import type { Attack, AttackSession } from './attack.ts';

const MESSAGES = 10_000;
/** The largest number of tools that the gateway accepts. */
const TOOLS = 1_000;

const messagesOf = (count: number) =>
  Array.from({ length: count }, (_, index) => ({
    role: index % 2 === 0 ? 'user' : 'assistant',
    content: `turn ${index}`,
  }));
const toolsOf = (count: number) =>
  Array.from({ length: count }, (_, index) => ({
    type: 'function',
    function: {
      name: `tool_${index}`,
      parameters: { type: 'object', properties: { a: { type: 'string' } } },
    },
  }));

const bodyAttack = (name: string, path: string, body: (session: AttackSession) => object): Attack => ({
  name,
  plan: 'enterprise',
  ms: 6_000,
  statuses: [200],
  run(session) {
    const text = writeBody('quick', { max_tokens: 8, ...body(session) });
    const request = { headers: { 'x-api-key': session.key }, body: text };
    return onConnections(session, 4, () => ask(session, path, request), { isBilled: true });
  },
});

/** Bodies with many small members. */
export const shapeAttacks: readonly Attack[] = [
  bodyAttack('10,000 messages', CHAT, ({ scaled }) => ({ messages: messagesOf(scaled(MESSAGES)) })),
  bodyAttack('10,000 messages, translated', '/v1/messages', ({ scaled }) => ({
    messages: messagesOf(scaled(MESSAGES) - 1),
  })),
  bodyAttack('1,000 tools', CHAT, ({ scaled }) => ({
    messages: userTurn('hello'),
    tools: toolsOf(scaled(TOOLS)),
  })),
];

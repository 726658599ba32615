import { ask, CHAT, onConnections, userTurn, writeBody } from './ask.ts';
import type { Attack, Siege } from './attack.ts';

/** Bodies of many small things. */
const MESSAGES = 10_000;
/** The most that is taken. */
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

const many = (name: string, path: string, body: (siege: Siege) => object): Attack => ({
  name,
  plan: 'enterprise',
  ms: 6_000,
  statuses: [200],
  run(siege) {
    const text = writeBody('quick', { max_tokens: 8, ...body(siege) });
    const asked = { headers: { 'x-api-key': siege.key }, body: text };
    return onConnections(siege, 4, () => ask(siege, path, asked), { isBilled: true });
  },
});

export const shapeAttacks: readonly Attack[] = [
  many('10,000 messages', CHAT, ({ scaled }) => ({ messages: messagesOf(scaled(MESSAGES)) })),
  many('10,000 messages, translated', '/v1/messages', ({ scaled }) => ({
    messages: messagesOf(scaled(MESSAGES) - 1),
  })),
  many('1,000 tools', CHAT, ({ scaled }) => ({ messages: userTurn('hello'), tools: toolsOf(scaled(TOOLS)) })),
];

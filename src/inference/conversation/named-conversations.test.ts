import { expect, test } from 'bun:test';
import type { HeldConversation } from './conversation-holds.ts';
import { NamedConversations, type NamedConversationsParts } from './named-conversations.ts';

test('a conversation that cannot be loaded is given up', async () => {
  const left: string[] = [];
  const parts = {
    store: { findConversation: () => Promise.reject(new Error('away')) },
    holds: {
      take: async (wanted: HeldConversation) => wanted,
      leave: async ({ holder }: HeldConversation) => void left.push(holder),
    },
    clock: { now: () => 0 },
  } as unknown as NamedConversationsParts;
  const caller = { exchange: { requestId: 'req_1' }, principal: { apiKey: { id: 'key_1' } } };
  await expect(new NamedConversations(parts).open(caller as never, 'conv_1')).rejects.toThrow('away');
  expect(left).toEqual(['req_1']);
});

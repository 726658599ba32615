import { expect, test } from 'bun:test';
import { partial } from '../../base/lib/testing/partial.ts';
import { sampleExchange } from '../../edge/http/testing/sample-exchange.ts';
import { sampleInference } from '../request/testing/sample-inference.ts';
import type { ConversationHolds } from './conversation-holds.ts';
import { NamedConversations, type NamedConversationsParts } from './named-conversations.ts';

test('a conversation that cannot be loaded is given up', async () => {
  const left: string[] = [];
  const parts = partial<NamedConversationsParts>({
    store: partial({ findConversation: () => Promise.reject(new Error('away')) }),
    holds: partial<ConversationHolds>({
      take: async (wanted) => wanted,
      leave: async ({ holder }) => void left.push(holder),
    }),
    clock: { now: () => 0 },
  });
  const caller = sampleInference({ exchange: sampleExchange({ requestId: 'req_1' }) });
  await expect(new NamedConversations(parts).open(caller, 'conv_1')).rejects.toThrow('away');
  expect(left).toEqual(['req_1']);
});

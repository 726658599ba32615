import { expect, test } from 'bun:test';
import { parseBodyAtOnce } from '../../base/json/parse-body.ts';
import { partial } from '../../base/lib/testing/partial.ts';
import { sampleExchange } from '../../edge/http/testing/sample-exchange.ts';
import type {
  ConversationStore,
  StoredConversation,
} from '../../inference/conversation/conversation-store.ts';
import type { NamedConversations } from '../../inference/conversation/named-conversations.ts';
import { samplePrincipal } from '../../money/auth/testing/sample-principal.ts';
import { type ConversationRoutesParts, conversationRoutes } from './conversation-routes.ts';

/** Conversations in memory, to which nothing can be added. */
function failingStore() {
  const rows = new Map<string, StoredConversation>();
  const store = partial<ConversationStore>({
    createConversation: async (row) => void rows.set(row.id, row),
    findConversation: async ({ id }) => rows.get(id),
    deleteConversation: async ({ id }) => rows.delete(id),
    async addPart() {
      throw new Error('the disk is full');
    },
  });
  return { rows, store };
}

test('a conversation whose first items cannot be stored is removed', async () => {
  const { rows, store } = failingStore();
  const body = { items: [{ type: 'message', role: 'user', content: 'One.' }] };
  const parts = partial<ConversationRoutesParts>({
    authenticator: partial({ authenticateRead: async () => samplePrincipal() }),
    readBody: async () => parseBodyAtOnce(JSON.stringify(body)),
    store,
    named: partial<NamedConversations>({
      hold: async (_, id) => partial({ id }),
      release: async () => {},
      change: () => partial({}),
    }),
    limits: partial({ refuseAsFull: () => undefined, refuseStored: async () => undefined }),
    clock: { now: () => 1_000 },
  });
  const { handle } = conversationRoutes(parts).find(
    ({ method, path }) => method === 'POST' && !path.includes('{'),
  )!;
  await expect(handle(sampleExchange())).rejects.toThrow('the disk is full');
  expect(rows.size).toBe(0);
});

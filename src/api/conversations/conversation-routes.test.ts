import { expect, test } from 'bun:test';
import { parseBodyAtOnce } from '../../base/json/parse-body.ts';
import type { Exchange } from '../../edge/http/exchange.ts';
import type { StoredConversation } from '../../inference/conversation/conversation-store.ts';
import { type ConversationRoutesParts, conversationRoutes } from './conversation-routes.ts';

/** Conversations in memory, to which nothing can be added. */
function failingStore() {
  const rows = new Map<string, StoredConversation>();
  const store = {
    createConversation: async (row: StoredConversation) => void rows.set(row.id, row),
    findConversation: async ({ id }: { id: string }) => rows.get(id),
    deleteConversation: async ({ id }: { id: string }) => rows.delete(id),
    async addPart() {
      throw new Error('the disk is full');
    },
  };
  return { rows, store };
}

test('a conversation whose first items cannot be stored is removed', async () => {
  const { rows, store } = failingStore();
  const body = { items: [{ type: 'message', role: 'user', content: 'One.' }] };
  const parts = {
    authenticator: { authenticateRead: async () => ({ apiKey: { id: 'key_1' }, account: { id: 'acct_1' } }) },
    readBody: async () => parseBodyAtOnce(JSON.stringify(body)),
    store,
    named: { hold: async (_: unknown, id: string) => ({ id }), release: async () => {}, change: () => ({}) },
    limits: { refuseAsFull: () => undefined, refuseStored: async () => undefined },
    clock: { now: () => 1_000 },
  } as unknown as ConversationRoutesParts;
  const { handle } = conversationRoutes(parts).find(
    ({ method, path }) => method === 'POST' && !path.includes('{'),
  )!;
  const exchange = { params: {}, snapshot: { config: { retention: {} } } } as unknown as Exchange;
  await expect(handle(exchange)).rejects.toThrow('the disk is full');
  expect(rows.size).toBe(0);
});

import { type Answer, bearer, type Json } from './call.ts';
import type { CreatedKey, TestServer } from './start-server.ts';

/** Returns functions that create accounts with purchased credit and read what they paid. */
export const purchasedCredit = (server: TestServer) => ({
  /** Creates a key whose account has purchased this much credit. */
  async createPayer(microcredits: number): Promise<CreatedKey> {
    const key = await server.createKey('payg');
    await server.giveCredits(key.account, Math.ceil(microcredits) / 1e6);
    return key;
  },
  /** Returns the receipt of an answer. */
  async receiptOf({ key }: CreatedKey, { headers }: { headers: Headers }): Promise<Json> {
    const path = `/v1/usage/${headers.get('x-svc-request-id')}`;
    const { status, body, text }: Answer = await server.call(path, { headers: bearer(key) });
    if (status !== 200) throw new Error(`the receipt answered ${status}: ${text}`);
    return body;
  },
  /** Returns the purchased credit that is left, in micro-credits. */
  purchasedLeft: async ({ key }: CreatedKey): Promise<number> =>
    Math.round((await server.call('/v1/usage', { headers: bearer(key) })).body.purchased_credits * 1e6),
});

import type { StrainedGateway } from './start-strained-gateway.ts';
import { CHAT } from './strained-client.ts';
import { chatBody } from './straining-bodies.ts';

const KEYS = 400;
const KEYS_AT_A_TIME = 20;
const REQUESTS = 200;

async function createKey({ url, token }: StrainedGateway, account: string): Promise<string> {
  const answer = await fetch(`${url}/admin/v1/accounts/${account}/keys`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}` },
    body: JSON.stringify({ name: 'a key with a name' }),
  });
  return ((await answer.json()) as { key: string }).key;
}

/** Gives an organization keys and requests, so that its pages have something to show. */
export async function fillOrganization(gateway: StrainedGateway, account: string): Promise<void> {
  const createKeys = () =>
    Promise.all(Array.from({ length: KEYS_AT_A_TIME }, () => createKey(gateway, account)));
  const [key] = await createKeys();
  for (let made = KEYS_AT_A_TIME; made < KEYS; made += KEYS_AT_A_TIME) await createKeys();
  for (let index = 0; index < REQUESTS; index++) {
    const answer = await fetch(`${gateway.url}${CHAT}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${key}` },
      body: chatBody({ model: 'whole-0', user: `user-${index}` }),
    });
    await answer.arrayBuffer();
  }
}

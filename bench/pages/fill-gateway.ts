import { bearer, type CallOptions, call, chatBody, type Json } from '../../test/support/call.ts';

const ACCOUNTS = 500;
const MODELS = 8;
const AT_A_TIME = 64;

type Filling = {
  url: string;
  adminToken: string;
  /** The operator's account. It sends every tenth request. */
  own: string;
  requests: number;
};

/** Adds accounts with a key each, some with long names, and sends requests with their keys. */
export async function fillGateway({ url, adminToken, own, requests }: Filling): Promise<void> {
  const admin = (method: string, path: string, body: unknown) =>
    callFor(method === 'POST' ? 201 : 200, `${url}/admin/v1${path}`, {
      method,
      headers: bearer(adminToken),
      body,
    });
  const keys: string[] = [];
  for (let index = 0; index < ACCOUNTS; index++) {
    const name = `Customer ${index} ${'of a long name '.repeat(index % 9)}`.trim();
    const account = await admin('POST', '/accounts', { name, plan: 'enterprise' });
    keys.push((await admin('POST', `/accounts/${account.id}/keys`, { name: `key ${name}` })).key);
  }
  await admin('PATCH', `/accounts/${own}`, { plan: 'enterprise' });
  const ownKey: string = (await admin('POST', `/accounts/${own}/keys`, { name: 'own' })).key;
  const listed = await callFor(200, `${url}/v1/models`, { headers: bearer(ownKey) });
  const models: string[] = listed.data
    .map(({ id }: Json) => id)
    .filter((id: string) => /^(gpt|claude)/.test(id))
    .slice(0, MODELS);
  let sent = 0;
  const send = async () => {
    while (sent < requests) {
      const number = sent++;
      const key = number % 10 === 0 ? ownKey : keys[number % ACCOUNTS]!;
      const isKnown = number % 50 !== 0;
      const model = isKnown ? models[number % models.length]! : 'no-such-model';
      const body = chatBody(model, { max_tokens: 8, user: `user-${number % 300}` });
      await callFor(isKnown ? 200 : 404, `${url}/v1/chat/completions`, { headers: bearer(key), body });
    }
  };
  await Promise.all(Array.from({ length: AT_A_TIME }, send));
}

async function callFor(status: number, url: string, options: CallOptions): Promise<Json> {
  const answer = await call(url, options);
  if (answer.status !== status) throw new Error(`${url} answered ${answer.status}: ${answer.text}`);
  return answer.body;
}

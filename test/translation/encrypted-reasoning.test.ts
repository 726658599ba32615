import { afterAll, beforeEach, describe, expect, test } from 'bun:test';
import { serveSimulator } from '../../src/simulator/serving/serve-simulator.ts';
import { bearer, type Json } from '../support/call.ts';
import { dataOf, messagesBody } from '../support/messages-body.ts';
import { startServer } from '../support/start-server.ts';
import { ableModel } from '../support/wire-models.ts';

const upstream = serveSimulator();
const provider = (id: string) => ({
  id,
  wire: 'openai-responses',
  base_url: `${upstream.url}/v1`,
  api_key: `key-of-${id}`,
});
const to = (id: string, weight: number) => ({ provider: id, model: 'hidden-model', weight });
const server = await startServer({
  config: {
    providers: [provider('hidden-one'), provider('hidden-two')],
    catalog: {
      default: false,
      models: [
        ableModel('shared', [to('hidden-one', 2), to('hidden-two', 1)]),
        ableModel('alone', [to('hidden-one', 1)]),
      ],
    },
  },
});
afterAll(async () => {
  await server.stop();
  await upstream.stop();
});
const { key } = await server.createKey('enterprise');
const headers = bearer(key);
beforeEach(() => server.admin('POST', '/providers/hidden-one/undrain'));
const leaveFirst = () => server.admin('POST', '/providers/hidden-one/drain');
/** Returns the last request that reached an upstream. */
const lastInput = (): Json[] => (upstream.requests().at(-1)!.body as Json).input;
const encryptedIn = (items: Json[]) => items.flatMap(({ encrypted_content }) => encrypted_content ?? []);

const MARK = 'tollgate-sealed-v1:';
const asked = { reasoning: { effort: 'low' }, include: ['reasoning.encrypted_content'] };
const again = { role: 'user', content: 'say: two' };

async function ask(fields: Json) {
  const answer = await server.call('/v1/responses', {
    headers,
    body: { ...asked, input: 'say: one', ...fields },
  });
  expect(answer.status).toBe(200);
  const body = fields.stream ? dataOf(answer.text).at(-1).response : answer.body;
  return { body, losses: answer.headers.get('x-svc-translation-losses') };
}

describe.each([false, true])('for a model at two accounts, stream: %s', (stream) => {
  test('returns reasoning only to the account that produced it', async () => {
    const first = await ask({ model: 'shared', store: false, stream });
    const input = [{ role: 'user', content: 'say: one' }, ...first.body.output, again];
    const [marked] = encryptedIn(first.body.output);
    expect(marked).toStartWith(MARK);
    expect((await ask({ model: 'shared', input, stream })).losses).toBeNull();
    expect(marked).toEndWith(`:${encryptedIn(lastInput())[0]}`);
    await leaveFirst();
    expect((await ask({ model: 'shared', input, stream })).losses).toBe('replay-token, thinking-block');
    expect(encryptedIn(lastInput())).toEqual([]);
    expect(JSON.stringify(lastInput())).not.toContain(MARK);
  });

  test('does the same for a stored conversation, whether or not reasoning was shown', async () => {
    const first = await ask({ model: 'shared', include: [], stream });
    const next = { model: 'shared', input: 'say: two', previous_response_id: first.body.id, stream };
    await ask(next);
    const [own] = encryptedIn(lastInput());
    expect(own).toBeString();
    expect(own).not.toContain(MARK);
    await leaveFirst();
    expect((await ask(next)).losses).toContain('replay-token');
    expect(encryptedIn(lastInput())).toEqual([]);
  });
});

test('does the same for another dialect, as proof of thinking', async () => {
  const thinking = { type: 'enabled', budget_tokens: 1024 };
  const talk = async (messages: Json[]) => {
    const body = { ...messagesBody('shared', {}), max_tokens: 4096, thinking, messages };
    const answer = await server.call('/v1/messages', { headers, body });
    expect(answer.status).toBe(200);
    return answer;
  };
  const said = { role: 'user', content: 'say: one' };
  const { body } = await talk([said]);
  const history = [said, { role: 'assistant', content: body.content }, again];
  await talk(history);
  expect(encryptedIn(lastInput())).toHaveLength(1);
  expect(encryptedIn(lastInput())[0]).not.toContain(MARK);
  await leaveFirst();
  await talk(history);
  expect(encryptedIn(lastInput())).toEqual([]);
});

test('passes encrypted reasoning unchanged if the model has one account', async () => {
  const { body } = await ask({ model: 'alone' });
  expect(encryptedIn(body.output)[0]).not.toContain(MARK);
});

import { afterAll, expect, test } from 'bun:test';
import { bearer } from '../support/call.ts';
import { startServer } from '../support/start-server.ts';
import { ableModel, simulated } from '../support/wire-models.ts';

const server = await startServer({
  config: {
    simulator: { mode: 'on' },
    catalog: { default: false, models: [ableModel('plain', [simulated('openai-chat')])] },
  },
});
afterAll(() => server.stop());

const attacker = await server.createKey('enterprise');
const bystander = await server.createKey('enterprise');
const messages = (content: string) => [{ role: 'user', content }];

/** Letters without a word among them, the slowest that there is to count. */
function letters(length: number): string {
  let seed = 1;
  const codes = Uint8Array.from({ length }, () => {
    seed = (seed * 1_103_515_245 + 12_345) % 2_147_483_648;
    return 97 + ((seed >> 8) % 26);
  });
  return Buffer.from(codes).toString('latin1');
}

test('serves an account while several bodies of 9 MB of another account are counted', async () => {
  const warm = { headers: bearer(bystander.key), body: { model: 'plain', messages: messages('hello') } };
  const quick = () => server.call('/v1/messages/count_tokens', warm);
  const before = await quick();
  const leaving = new AbortController();
  const body = JSON.stringify({ model: 'plain', messages: messages(letters(9_000_000)) });
  let counted = 0;
  const headers = { ...bearer(attacker.key), 'content-type': 'application/json' };
  const attack = Array.from({ length: 3 }, async () => {
    const answer = await fetch(`${server.url}/v1/messages/count_tokens`, {
      method: 'POST',
      headers,
      body,
      signal: leaving.signal,
    });
    counted++;
    return answer.status;
  });
  expect(await Promise.race(attack)).toBe(200); // the estimate of one that waited
  const during = await quick();
  const chat = await server.call('/v1/chat/completions', {
    headers: bearer(bystander.key),
    body: { model: 'plain', messages: messages('Which words are these?'), max_tokens: 8 },
  });
  expect({ before: before.status, during: during.status, chat: chat.status }).toEqual({
    before: 200,
    during: 200,
    chat: 200,
  });
  expect(counted).toBeLessThan(3);
  leaving.abort();
  await Promise.allSettled(attack);
});

import { expect, test } from 'bun:test';
import { bearer, chatBody } from '../support/call.ts';
import { openCreditGateway, SMALL } from '../support/credit-gateway.ts';
import { leaveStream } from '../support/leave-stream.ts';
import { usageEntries } from '../support/ledger-entries.ts';
import { answerSlowly, chatStream, streamed } from '../support/recording-upstream.ts';
import { waitFor } from '../support/wait-for.ts';

const { upstream, server, reportUsage, chat, chatWell, ledger, account, addCredit } =
  await openCreditGateway();

test('charges streams like whole answers, by the reported usage, whether or not the client sees it [CNT-06] [CHT-17]', async () => {
  const key = await server.createKey('pro');
  reportUsage(123_456, 789);
  expect((await chatWell(key, { stream: true })).text).not.toContain('"usage"');
  const [{ input_tokens, output_tokens, receipt }] = await ledger(key);
  expect({ input_tokens, output_tokens, outcome: receipt.outcome }).toEqual({
    input_tokens: 123_456,
    output_tokens: 789,
    outcome: 'complete',
  });
});

test('a stream costs its output until the client left [STR-23] [CRD-07]', async () => {
  const key = await server.createKey('pro');
  upstream.forget();
  const slow = answerSlowly();
  upstream.answer('hidden-test-small', slow.answer);
  await leaveStream(`${server.url}/v1/chat/completions`, {
    headers: bearer(key.key),
    body: chatBody(SMALL, { stream: true }),
  });
  await waitFor(async () => (await ledger(key)).length > 0);
  const [entry, ...others] = await ledger(key);
  expect(others).toEqual([]);
  expect(entry).toMatchObject({ kind: 'usage', receipt: { outcome: 'left', estimated: true } });
  expect(entry.output_tokens).toBeGreaterThan(0);
  expect(entry.input_tokens).toBeGreaterThan(0);
});

test('a stream that the upstream breaks costs nothing and has no hold [STR-26] [CRD-07]', async () => {
  const key = await server.createKey('payg');
  await addCredit(key, 'adjustments', { credits: 17, balance: 'purchased', reason: 'a test' });
  const broken = chatStream('x').split('\n\n').slice(0, 2).join('\n\n');
  upstream.answer('hidden-test-small', () => streamed(`${broken}\n\n`));
  for (let round = 0; round < 2; round++) {
    const { status, text } = await chat(key, { stream: true, max_tokens: 8_000 });
    expect({ status, text }).toEqual({ status: 200, text: expect.stringContaining('"error"') });
  }
  expect(await usageEntries(server, key.account)).toEqual([]);
  expect((await account(key)).purchased_credits).toBe(17);
});

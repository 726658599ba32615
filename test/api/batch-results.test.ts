import { afterAll, afterEach, describe, expect, test } from 'bun:test';
import { answerWithUsage } from '../support/answer-with-usage.ts';
import { batchClient, countsSum, flavors, linesOf, messagesFlavor } from '../support/batch-client.ts';
import type { Json } from '../support/call.ts';
import { expectMessagesError } from '../support/expect-messages-error.ts';
import { expectNoTrace } from '../support/expect-no-trace.ts';
import { expectRefusal } from '../support/expect-refusal.ts';
import { answerStatus, answerWell, startRecordingUpstream } from '../support/recording-upstream.ts';
import { sampleConfig } from '../support/sample-config.ts';
import { startServer } from '../support/start-server.ts';
import { waitFor } from '../support/wait-for.ts';

const upstream = startRecordingUpstream();
const server = await startServer({ config: sampleConfig(upstream.url) });
afterAll(async () => {
  await server.stop();
  await upstream.stop();
});
const { key, account } = await server.createKey('enterprise');
const SMALL = 'test-small';
const atSmall = (answer: Parameters<typeof upstream.answer>[1]) =>
  upstream.answer('hidden-test-small', answer);
afterEach(() => {
  upstream.forget();
  atSmall(answerWell);
});
const repeated = (count: number, model = SMALL) => Array.from({ length: count }, () => model);

describe.each(flavors)('$name', (flavor) => {
  const client = batchClient(server, { flavor, key });
  const envelope = (type: string, code: string, param: string | null = null) =>
    flavor.name === 'messages'
      ? { type: 'error', error: { type, code, message: expect.stringMatching(/\S/) } }
      : { error: { type, code, message: expect.stringMatching(/\S/), param } };

  async function run(models: readonly string[], fields: Json = {}) {
    const made = await client.post({ requests: client.items(models, fields) });
    const batch = await client.ended(made.body.id);
    return { batch, lines: await client.lines(batch.id) };
  }

  test('returns one line of JSON for each request, with the type of its result [BAT-05] [BAT-15] [BAT-16] [BAT-17] [BAT-18] [BAT-20] [BAT-54] [BAT-58]', async () => {
    const batch = await client.create(repeated(25));
    const ended = await client.ended(batch.id);
    const address = ended.results_url.replace(server.url, '');
    expect(address).toBe(`${flavor.path}/${batch.id}/results`);
    const answer = await server.call(address, { headers: flavor.headers(key) });
    expect({ status: answer.status, contentType: answer.headers.get('content-type') }).toEqual({
      status: 200,
      contentType: 'application/x-jsonl',
    });
    const lines = linesOf(answer.text);
    const ids = Array.from({ length: 25 }, (_, index) => `item-${index}`);
    expect(lines.map(({ custom_id }) => custom_id).sort()).toEqual(ids.sort());
    for (const { result, ...rest } of lines) {
      expect(Object.keys(rest)).toEqual(['custom_id']);
      expect(Object.keys(result)).toEqual(['type', flavor.answerField]);
      expect(result.type).toBe('succeeded');
      const said = result[flavor.answerField];
      expect(said).toMatchObject(
        flavor.name === 'messages'
          ? { type: 'message', role: 'assistant', model: SMALL, content: [{ type: 'text', text: 'one two' }] }
          : { object: 'chat.completion', model: SMALL, choices: [{ message: { content: 'one two' } }] },
      );
      expect(said.id).toStartWith(flavor.name === 'messages' ? 'msg_' : 'chatcmpl-');
    }
    expect(new Set(lines.map(({ result }) => result[flavor.answerField].id)).size).toBe(25);
    expectNoTrace(answer, [upstream.port]);
  });

  test('keeps counts current, and equal to the number of items at every moment [BAT-06] [BAT-67]', async () => {
    const gates = Array.from({ length: 3 }, () => Promise.withResolvers<void>());
    let calls = 0;
    atSmall((request) => gates[calls++]!.promise.then(() => answerWell(request)));
    const batch = await client.create(repeated(3));
    for (const [done, { resolve }] of gates.entries()) {
      const view = await client.view(batch.id);
      expect(countsSum(view)).toBe(3);
      expect(view.request_counts.succeeded).toBeGreaterThanOrEqual(done);
      resolve();
      await waitFor(async () => (await client.view(batch.id)).request_counts.succeeded > done);
    }
    expect((await client.ended(batch.id)).request_counts.succeeded).toBe(3);
  });

  test('refuses the results of a batch that has not ended with 409 [BAT-13] [BAT-14]', async () => {
    const gate = Promise.withResolvers<void>();
    atSmall((request) => gate.promise.then(() => answerWell(request)));
    const batch = await client.create([SMALL]);
    const expectConflict = async () => {
      const answer = await client.results(batch.id);
      if (flavor.name === 'chat') expectRefusal(answer, 409, 'batch_not_ended');
      else expectMessagesError(answer, 409, ['invalid_request_error', 'batch_not_ended']);
    };
    await expectConflict();
    await waitFor(() => upstream.requests.length > 0);
    expect((await client.cancel(batch.id)).body.processing_status).toBe('canceling');
    await expectConflict();
    gate.resolve();
    await client.ended(batch.id);
  });

  test('reports an invalid item in its own result beside those of the others [BAT-19] [BAT-36]', async () => {
    const good = flavor.params(SMALL);
    const { model: _, ...modelless } = good;
    const requests = [
      { custom_id: 'good', params: good },
      { custom_id: 'unknown', params: flavor.params('no-such-model') },
      { custom_id: 'modelless', params: modelless },
      { custom_id: 'fields', params: { ...good, messages: 7 } },
      { custom_id: 'other-good', params: good },
    ];
    const created = await client.post({ requests });
    const batch = await client.ended(created.body.id);
    expect(batch.request_counts).toEqual({
      processing: 0,
      succeeded: 2,
      errored: 3,
      canceled: 0,
      expired: 0,
    });
    const lines = await client.lines(batch.id);
    expect(lines['unknown']).toEqual({
      type: 'errored',
      error: envelope('invalid_request_error', 'unknown_model', 'model'),
    });
    expect(lines['modelless'].error).toEqual(envelope('invalid_request_error', 'invalid_request', 'model'));
    expect(lines['fields'].error).toEqual(envelope('invalid_request_error', 'invalid_request', 'messages'));
    expect(lines['good'].type).toBe('succeeded');
    expect(lines['other-good'].type).toBe('succeeded');
  });

  test("reports a model outside the plan as the item's error", async () => {
    const free = await server.createKey('free');
    const other = batchClient(server, { flavor, key: free.key });
    const batch = await other.ended((await other.create([SMALL, 'test-max'])).id);
    const lines = await other.lines(batch.id);
    expect({ type: lines['item-0'].type, code: lines['item-1'].error.error.code }).toEqual({
      type: 'succeeded',
      code: 'plan_upgrade_required',
    });
  });

  test('does not retry a permanent error [BAT-46]', async () => {
    atSmall(answerStatus(400));
    const { batch, lines } = await run([SMALL]);
    expect({ errored: batch.request_counts.errored, requestCount: upstream.requests.length }).toEqual({
      errored: 1,
      requestCount: 1,
    });
    expect(lines['item-0']).toEqual({
      type: 'errored',
      error: envelope('invalid_request_error', 'invalid_request'),
    });
  });

  test('charges an item once, at the cost of the same single request [BAT-43]', async () => {
    atSmall(answerWithUsage(1_000, 50));
    const before = (await server.admin('GET', `/accounts/${account}`)).body.credits.used;
    await server.call(
      flavor.path.replace('/batches', flavor.name === 'messages' ? '' : '/chat/completions'),
      {
        headers: flavor.headers(key),
        body: flavor.params(SMALL),
      },
    );
    const { batch } = await run([SMALL, 'test-max', SMALL]);
    const ledger: Json[] = (await server.admin('GET', `/accounts/${account}/ledger?limit=4`)).body.data;
    const ofSmall = ledger.filter(({ model }) => model === '@svc/test-small');
    expect(
      ofSmall.map(({ microcredits, balance, input_tokens }) => [microcredits, balance, input_tokens]),
    ).toEqual(new Array(3).fill([600_000, 'monthly', 1_000]));
    const { used } = (await server.admin('GET', `/accounts/${account}`)).body.credits;
    expect(used).toBeCloseTo(
      before + ledger.reduce((sum, { microcredits }) => sum + microcredits, 0) / 1e6,
      5,
    );
    expect(batch.request_counts.succeeded).toBe(3);
  });

  test('charges nothing for an item that fails', async () => {
    const other = await server.createKey('enterprise');
    const failing = batchClient(server, { flavor, key: other.key });
    atSmall(answerStatus(400));
    await failing.ended((await failing.create(repeated(3))).id);
    expect((await server.admin('GET', `/accounts/${other.account}/ledger`)).body.data).toEqual([]);
  });

  test('reports missing credit as the error of each item that it affects [BAT-44]', async () => {
    const poor = await server.createKey('pro');
    await server.admin('PATCH', `/accounts/${poor.account}`, { plan_overrides: { credits: 1 } });
    const other = batchClient(server, { flavor, key: poor.key });
    atSmall(answerWithUsage(4_000, 0));
    const batch = await other.ended((await other.create(repeated(200))).id);
    const { succeeded, errored } = batch.request_counts;
    expect(succeeded).toBeGreaterThan(0);
    expect(succeeded + errored).toBe(200);
    const failed = Object.values(await other.lines(batch.id)).filter(({ type }) => type === 'errored');
    expect(failed).toHaveLength(errored);
    for (const { error } of failed)
      expect(error).toMatchObject({ error: { code: 'allowance_exhausted', limit: 1 } });
  });

  test('does not apply request limits to items [BAT-45]', async () => {
    const free = await server.createKey('free');
    const other = batchClient(server, { flavor, key: free.key });
    const batch = await other.ended((await other.create(repeated(50))).id);
    expect(batch.request_counts.succeeded).toBe(50);
  });

  test("writes several answers, and an upstream's multi-line JSON, as one line", async () => {
    const pretty = { ...JSON.parse(await (await answerWell({ body: { model: 'x' } } as never)).text()) };
    atSmall(
      () =>
        new Response(JSON.stringify(pretty, null, 2), { headers: { 'content-type': 'application/json' } }),
    );
    const { batch, lines } = await run([SMALL], flavor.name === 'chat' ? { n: 2 } : {});
    expect(linesOf((await client.results(batch.id)).text)).toHaveLength(1);
    if (flavor.name === 'chat') expect(lines['item-0'].response.choices).toHaveLength(2);
    else expect(lines['item-0'].message.content[0].text).toBe('one two');
  });
});

test.each(
  flavors,
)('shows batches of $name only to their own key, in their own collection [AUT-21] [AUT-22]', async (flavor) => {
  const owner = await server.createKey('enterprise');
  const mine = batchClient(server, { flavor, key: owner.key });
  const batch = await mine.ended((await mine.create([SMALL])).id);
  const sibling = await server.createKey('enterprise', { account: owner.account });
  for (const { key: other } of [sibling, await server.createKey('enterprise')]) {
    const theirs = batchClient(server, { flavor, key: other });
    const own = await theirs.create([SMALL]);
    for (const { status, body } of [
      await theirs.get(`/${batch.id}`),
      await theirs.results(batch.id),
      await theirs.cancel(batch.id),
    ])
      expect({ status, code: body.error.code }).toEqual({ status: 404, code: 'not_found' });
    expect((await theirs.list()).body.data.map(({ id }: Json) => id)).toEqual([own.id]);
  }
  expect((await mine.list()).body.data.map(({ id }: Json) => id)).toEqual([batch.id]);
  const elsewhere = flavors.find((one) => one !== flavor)!;
  const answer = await batchClient(server, { flavor: elsewhere, key: owner.key }).get(`/${batch.id}`);
  expect({ status: answer.status, code: answer.body.error.code }).toEqual({ status: 404, code: 'not_found' });
});

test('counts the results of items in metrics', async () => {
  const metric = async (name: string) => {
    const { text } = await server.call('/metrics');
    return Number(new RegExp(`^${name} (\\S+)$`, 'm').exec(text)?.[1] ?? 0);
  };
  const answered = 'tollgate_batch_tries_total{code=""}';
  const unknown = 'tollgate_batch_tries_total{code="unknown_model"}';
  const atRest = async () => (await metric('tollgate_batches_running')) === 0;
  await waitFor(atRest);
  const before = [await metric(answered), await metric(unknown)];
  const spend = 'tollgate_spend_microcredits_total\\{[^}]*\\}';
  const spentBefore = await metric(spend);
  const client = batchClient(server, { flavor: messagesFlavor, key });
  await client.ended((await client.create([SMALL, SMALL, 'no-such-model'])).id);
  await waitFor(atRest);
  expect(await metric(answered)).toEqual(before[0]! + 2);
  expect(await metric(unknown)).toEqual(before[1]! + 1);
  expect(await metric('tollgate_batch_items_at_work')).toBe(0);
  expect(await metric(spend)).toBeGreaterThan(spentBefore);
});

test('returns 404 for an unknown id in both collections [BAT-61]', async () => {
  for (const flavor of flavors) {
    const client = batchClient(server, { flavor, key });
    const id = `${flavor.name === 'chat' ? 'batch_' : 'msgbatch_'}${'x'.repeat(22)}`;
    for (const answer of [await client.get(`/${id}`), await client.cancel(id), await client.results(id)])
      expect(answer).toMatchObject({ status: 404, body: { error: { code: 'not_found' } } });
  }
});

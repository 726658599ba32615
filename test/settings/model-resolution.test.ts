import { afterAll, beforeEach, describe, expect, test } from 'bun:test';
import { bearer, chatBody } from '../support/call.ts';
import { expectNoTrace } from '../support/expect-no-trace.ts';
import { expectRefusal } from '../support/expect-refusal.ts';
import { startRecordingUpstream } from '../support/recording-upstream.ts';
import { sampleConfig } from '../support/sample-config.ts';
import { startServer } from '../support/start-server.ts';

const upstream = startRecordingUpstream();
const server = await startServer({ config: sampleConfig(upstream.url) });
afterAll(async () => {
  await server.stop();
  await upstream.stop();
});
beforeEach(upstream.forget);

const { key, account } = await server.createKey('enterprise');
const free = await server.createKey('free');
const chat = (model: string, fields?: Record<string, unknown>) => server.chat(key, model, fields);

/**
 * Sends a request to a model. Returns the upstream's name of the model, and the name that the client
 * receives.
 */
async function served(model: string, { stream }: { stream: boolean }) {
  upstream.forget();
  const { status, headers, text, body } = await chat(model, { stream });
  expect({ model, status }).toEqual({ model, status: 200 });
  const chunks = stream ? text.match(/(?<=^data: )\{.*/gm)!.map((line) => JSON.parse(line)) : [body];
  const names = new Set(chunks.map((chunk) => chunk.model));
  return { upstream: upstream.models(), names: [...names], header: headers.get('svc-model') };
}

/** Models of other wires, which chat completions reach by translation. */
const translated = ['test-messages', 'test-responses', 'test-google', 'test-bedrock'];

describe('the model field', () => {
  test('selects any model of the plan with one key, and the others in pay-as-you-go mode [RES-01]', async () => {
    const included = ['@svc/test-small', 'test-plain', 'test-vision', 'test-max'];
    for (const id of included) await chat(id);
    await server.purchase(account, 2);
    await server.call('/v1/chat/completions', {
      headers: { ...bearer(key), 'x-svc-payment-mode': 'payg' },
      body: chatBody('test-payg'),
    });
    const expected = ['small', 'plain', 'vision', 'max', 'payg'].map((name) => `hidden-test-${name}`);
    expect(upstream.models()).toEqual(expected);
  });

  for (const [name, spelling, target] of [
    ['names a closed model by its plain name [RES-02]', 'test-plain', 'plain'],
    ['names an open-weight model with its prefix [RES-03]', '@svc/test-small', 'small'],
    ['may be the older spelling of a closed model [RES-04]', 'svc-test-plain', 'plain'],
    ['may be the older spelling of an open-weight model [RES-04]', 'svc-test-small', 'small'],
    ['may be the bare name of an open-weight model [RES-05]', 'test-small', 'small'],
    ["may be a further alias of the operator's", 'test-small-old', 'small'],
    ['may be a third-party handle', 'gpt-stock', 'small'],
    ['may be a preview', 'next-big-model', 'plain'],
  ] as const) {
    test(`${name}, and is returned as sent [RES-25]`, async () => {
      for (const stream of [false, true]) {
        expect(await served(spelling, { stream })).toEqual({
          upstream: [`hidden-test-${target}`],
          names: [spelling],
          header: spelling,
        });
      }
    });
  }

  test('with an unknown name returns 404, never another model [RES-09]', async () => {
    const misspelled = ['test-smal', 'test-small ', 'Test-Small', 'test-plain/x', 'gpt-stock-2'];
    const misprefixed = ['@svc/test-plain', '@svc/', 'svc-', 'svc-svc-test-small', '@acme/test-small'];
    const internal = ['hidden-test-small', 'toString', '__proto__'];
    for (const model of [...misspelled, ...misprefixed, ...internal])
      expectRefusal(await chat(model), 404, 'unknown_model', 'model');
    expect(upstream.requests).toEqual([]);
  });

  test('without a provider returns 404, with up to ten usable models [RES-23] [RES-24]', async () => {
    const { message } = expectRefusal(await chat('test-unrouted'), 404, 'model_unavailable', 'model');
    const ids: string[] = message.match(/(?<=use: ).*(?=\.$)/)[0].split(', ');
    const native = ['@svc/test-small', 'test-plain', 'test-vision', 'test-max'];
    expect(ids).toEqual([...native, ...translated]);
    for (const id of native) expect((await chat(id)).status).toBe(200);
  });

  test('without a provider suggests only models that the key and the plan allow [RES-24]', async () => {
    const only = await server.createKey('pro', { allowed_models: ['test-plain', 'test-unrouted'] });
    const { message } = (await server.chat(only.key, 'test-unrouted')).body.error;
    expect(message).toEndWith('use: test-plain.');
    const onFree = (await server.chat(free.key, 'test-unrouted')).body.error;
    expect(onFree.message).toEndWith(`use: ${['@svc/test-small', ...translated].join(', ')}.`);
    const payg = (await server.chat((await server.createKey('payg')).key, 'test-unrouted')).body.error;
    expect(payg.message).toContain('test-payg');
  });
});

describe('svc-model', () => {
  test('is on errors too, if the model was read [RES-28]', async () => {
    for (const [model, fields, status] of [
      ['nothing-like-it', {}, 404],
      ['test-plain', { temperature: 9 }, 400],
      ['test-vectors-not', { n: 'x' }, 400],
      ['test-unrouted', {}, 404],
    ] as const) {
      const { status: seen, headers } = await chat(model, fields);
      expect([model, seen, headers.get('svc-model')]).toEqual([model, status, model]);
    }
    expect((await server.chat(free.key, 'test-max')).headers.get('svc-model')).toBe('test-max');
  });

  test('is omitted if the name does not fit into a header [RES-28]', async () => {
    for (const model of ['m'.repeat(1_048_576), 'new\nline', 'nul\u0000', 'ünïcode', 'a b', ''])
      expect((await chat(model)).headers.get('svc-model')).toBeNull();
    for (const model of [7, null, ['test-plain'], { id: 'test-plain' }]) {
      const answer = await server.call('/v1/chat/completions', {
        headers: bearer(key),
        body: { ...chatBody(''), model },
      });
      expectRefusal(answer, 400, 'invalid_request', 'model');
      expect(answer.headers.get('svc-model')).toBeNull();
    }
  });

  test('is omitted if no body was read', async () => {
    const answer = await server.call('/v1/chat/completions', { body: chatBody('test-plain') });
    expect({ status: answer.status, model: answer.headers.get('svc-model') }).toEqual({
      status: 401,
      model: null,
    });
  });
});

describe('a plan', () => {
  test('without the model gets the cheapest plan that has it, and on Free usable models', async () => {
    const { message } = expectRefusal(
      await server.chat(free.key, 'test-vision'),
      400,
      'plan_upgrade_required',
    );
    expect(message).toContain('Pro is the cheapest');
    expect(message).toEndWith(`Models that you can use: ${['@svc/test-small', ...translated].join(', ')}.`);
    const { key: starter } = await server.createKey('starter');
    const onStarter = expectRefusal(await server.chat(starter, 'test-max'), 400, 'plan_upgrade_required');
    expect(onStarter.message).toContain('Max is the cheapest');
    expect(upstream.requests).toEqual([]);
  });

  test('never includes a model of pay-as-you-go mode only', async () => {
    for (const plan of ['free', 'launch', 'scale', 'enterprise']) {
      const { key: each } = await server.createKey(plan);
      expectRefusal(await server.chat(each, 'test-payg'), 400, 'payg_required');
    }
  });
});

test('no answer reveals the upstream [MOD-06]', async () => {
  const calls = [
    ...['/v1/models', '/v1/models/test-plain', '/v1/models/hidden', '/v1/nope'].map((path) =>
      server.call(path),
    ),
    server.call('/v1/models', { headers: { 'anthropic-version': '2023-06-01' } }),
    chat('test-plain'),
    chat('test-plain', { stream: true }),
    chat('test-plain', { stream: true, stream_options: { include_usage: true } }),
    ...['test-unrouted', 'test-google', 'no-such-model', 'test-payg'].map((model) => chat(model)),
    chat('test-plain', { temperature: 'warm' }),
  ];
  for (const answer of await Promise.all(calls))
    expectNoTrace({ ...answer, text: answer.text.replace("'hidden'", '') }, [upstream.port]);
});

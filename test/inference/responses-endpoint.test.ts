import { describe, expect, test } from 'bun:test';
import type { Response as OpenAIResponse } from 'openai/resources/responses/responses';
import type { Json } from '../support/call.ts';
import { expectRefusal } from '../support/expect-refusal.ts';
import { dataOf } from '../support/messages-body.ts';
import { envelopesOf, openResponsesGateway, weather } from '../support/responses-gateway.ts';
import { chatWires } from '../support/wire-models.ts';

const { post, sent, askOn } = await openResponsesGateway();

/** Every field that the client's type cannot do without. A missing field does not compile. */
const fields = Object.keys({
  id: 1,
  created_at: 1,
  error: 1,
  incomplete_details: 1,
  instructions: 1,
  metadata: 1,
  model: 1,
  object: 1,
  output: 1,
  parallel_tool_calls: 1,
  temperature: 1,
  tool_choice: 1,
  tools: 1,
  top_p: 1,
  status: 1,
  usage: 1,
  previous_response_id: 1,
} satisfies Partial<Record<keyof OpenAIResponse, 1>>);

test('a response has the requested model name, in the spelling of the request [RSP-03] [STR-05]', async () => {
  const spellings = ['@svc/spelled', 'svc-spelled', 'spelled', 'old-spelled', 'gpt-stock', 'next-model'];
  for (const model of spellings) {
    expect((await post({ model, input: 'hi' })).body.model).toBe(model);
    const { text } = await post({ model, input: 'hi', stream: true });
    expect(envelopesOf(dataOf(text)).map((envelope) => envelope.model)).toEqual([model, model, model]);
  }
});

describe.each([...chatWires])('on %s', (wire) => {
  const { model, ask, stream } = askOn(wire);

  test('a response has an id and the items of the answer [RSP-01] [RSP-02] [RSP-04] [RSP-05] [RSP-06]', async () => {
    const response = await ask();
    expect(response).toMatchObject({ object: 'response', status: 'completed', model });
    expect(response.id).toMatch(/^resp_[0-9A-Za-z]{29}$/);
    const content = [{ type: 'output_text', text: '[simulated] hello', annotations: [] }];
    expect(response.output).toMatchObject([{ type: 'message', role: 'assistant', content }]);
  });

  test('a response has the usage with its details [RSP-07] [RSP-11] [RSP-22] [RSP-30]', async () => {
    const { usage } = await ask();
    expect(usage.input_tokens).toBeGreaterThan(0);
    expect(usage.output_tokens).toBeGreaterThan(0);
    expect(usage).toMatchObject({
      total_tokens: usage.input_tokens + usage.output_tokens,
      input_tokens_details: { cached_tokens: expect.any(Number) },
      output_tokens_details: { reasoning_tokens: 0 },
    });
  });

  test('a response has every field that clients rely on [RSP-32]', async () => {
    expect(Object.keys(await ask())).toEqual(expect.arrayContaining(fields));
  });

  test('no setting of an envelope is absent or null where the public schemas require a value [RSP-35]', async () => {
    const tools = [{ type: 'function', name: 'look', parameters: { type: 'object', properties: {} } }];
    const envelopes = envelopesOf(await stream({ tools }));
    for (const envelope of [await ask({ tools }), ...envelopes]) {
      const { temperature, top_p, presence_penalty, frequency_penalty, service_tier, usage } = envelope;
      expect({ temperature, top_p, presence_penalty, frequency_penalty }).toEqual({
        temperature: 1,
        top_p: 1,
        presence_penalty: 0,
        frequency_penalty: 0,
      });
      expect(service_tier).toBe('default');
      expect(usage).toBeDefined();
      expect(envelope.tools).toEqual([{ ...tools[0], description: null, strict: expect.any(Boolean) }]);
    }
    expect(await ask({ temperature: 0.5 })).toMatchObject({ temperature: 0.5 });
  });

  test('only a completed response has the time of its completion [RSP-36]', async () => {
    const envelopes = envelopesOf(await stream());
    const times = envelopes.map(({ completed_at }) => completed_at);
    expect(times).toEqual([null, null, expect.any(Number)]);
    const { created_at, completed_at } = await ask();
    expect(completed_at).toBeGreaterThanOrEqual(created_at);
  });

  test('counts that the upstream omits are estimates with details of zero [RSP-30]', async () => {
    const { body } = await post({ model: `uncounted-on-${wire}`, input: 'hi' });
    const { input_tokens, output_tokens } = body.usage;
    expect(input_tokens).toBePositive();
    expect(output_tokens).toBePositive();
    expect(body.usage).toEqual({
      input_tokens,
      input_tokens_details: { cached_tokens: 0, cache_write_tokens: 0 },
      output_tokens,
      output_tokens_details: { reasoning_tokens: 0 },
      total_tokens: input_tokens + output_tokens,
    });
  });

  test('every envelope has store and previous_response_id [RSP-08] [RSP-09]', async () => {
    for (const [fields, store] of [
      [{}, true],
      [{ store: true }, true],
      [{ store: false }, false],
    ] as const) {
      const envelopes = envelopesOf(await stream(fields));
      for (const envelope of [await ask(fields), ...envelopes])
        expect({ store: envelope.store, previous_response_id: envelope.previous_response_id }).toEqual({
          store,
          previous_response_id: null,
        });
      expect(envelopes.length).toBe(3);
    }
  });

  test('marks an answer that its ceiling ended as incomplete [RSP-17]', async () => {
    const fields = { input: 'count to 100', max_output_tokens: 16 };
    const response = await ask(fields);
    expect({ status: response.status, incomplete_details: response.incomplete_details }).toEqual({
      status: 'incomplete',
      incomplete_details: { reason: 'max_output_tokens' },
    });
    expect(response.usage.output_tokens).toBeLessThanOrEqual(16);
    const last = (await stream(fields)).at(-1);
    expect({ type: last.type, status: last.response.status }).toEqual({
      type: 'response.incomplete',
      status: 'incomplete',
    });
  });

  test("lowers a ceiling above the model's output limit", async () => {
    await ask({ max_output_tokens: 1_000_000 });
    expect(JSON.stringify(sent())).toMatch(/"max\w*[tT]okens":5000\b/);
  });

  test('shows reasoning only on request [RSP-23] [RSP-24] [RSP-25] [RSP-31]', async () => {
    const shown = await ask({ reasoning: { effort: 'high' } });
    expect(shown.output.slice(0, 2).map(({ type }: Json) => type)).toEqual(['reasoning', 'message']);
    expect(JSON.stringify(shown.output[0])).toContain('[simulated thinking]');
    const events = await stream({ reasoning: { effort: 'low' } });
    expect(events.some(({ type }) => /reasoning.*delta/.test(type))).toBe(true);
    expect(events.map(({ sequence_number }) => sequence_number)).toEqual([...events.keys()]);
    for (const envelope of [await ask(), ...(await stream())])
      expect(JSON.stringify(envelope)).not.toMatch(/simulated thinking|encrypted_content":"/);
    const plain = await post({ model: `plain-on-${wire}`, input: 'hi', reasoning: { summary: 'auto' } });
    expect({ status: plain.status, types: plain.body.output.map(({ type }: Json) => type) }).toEqual({
      status: 200,
      types: ['message'],
    });
  });

  test('refuses a reasoning effort that the model lacks [RSP-26]', async () => {
    for (const [model, effort] of [
      [`on-${wire}`, 'max'],
      [`plain-on-${wire}`, 'low'],
    ]) {
      const answer = await post({ model, input: 'hi', reasoning: { effort } });
      expectRefusal(answer, 422, 'route_not_qualified', 'reasoning.effort');
    }
    const answer = await post({ model: `plain-on-${wire}`, input: 'hi', reasoning: { effort: 'none' } });
    expect(answer.status).toBe(200);
  });

  test('accepts the extra fields of real clients [RSP-33]', async () => {
    await ask({ text: {}, include: [], tools: [{ ...weather, strict: null }] });
    for (const role of ['system', 'developer'])
      await ask({
        input: [
          { role: 'user', content: 'hi' },
          { role, content: 'be terse' },
        ],
      });
    expect((await post({ model, input: 'hi' }, '?beta=true&x=1')).status).toBe(200);
  });
});

test('names a missing or invalid field [RSP-10]', async () => {
  const unreported = [{ role: 'user', content: [{ type: 'input_text' }] }];
  for (const [body, param] of [
    [{ input: 'hi' }, 'model'],
    [{ model: 'spelled' }, 'input'],
    [{ model: 'spelled', input: unreported }, 'input[0].content[0].text'],
    [{ model: 'spelled', input: 'hi', temperature: 7 }, 'temperature'],
  ] as const)
    expectRefusal(await post(body), 400, 'invalid_request', param);
});

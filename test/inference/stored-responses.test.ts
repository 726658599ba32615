import { describe, expect, test } from 'bun:test';
import { type Answer, bearer, type Json } from '../support/call.ts';
import { expectRefusal } from '../support/expect-refusal.ts';
import { dataOf } from '../support/messages-body.ts';
import { openResponseGateway } from '../support/open-response-gateway.ts';
import { chatWires } from '../support/wire-models.ts';

const { begun, key, sibling, stranger, post, read, made, sent, client, server, restart } =
  await openResponseGateway();

/** Returns the response inside a stream's last event, in its own bytes. */
function streamedEnvelope(text: string): string {
  const last = text.trimEnd().split('\n').at(-1)!;
  const start = last.indexOf('"response":') + '"response":'.length;
  let depth = 0;
  let isString = false;
  for (let at = start; at < last.length; at++) {
    const character = last[at];
    if (isString && character === '\\') at++;
    else if (character === '"') isString = !isString;
    else if (!isString && character === '{') depth++;
    else if (!isString && character === '}' && --depth === 0) return last.slice(start, at + 1);
  }
  throw new Error('no response in the last event');
}

/** A 404 names the requested id and no other. */
function expectMiss(answer: Answer, id: string): void {
  const { message } = expectRefusal(answer, 404, 'not_found', 'previous_response_id');
  expect(message.match(/resp_\w+/g)).toEqual([id]);
}

/** Neither to be read nor to be continued. */
async function expectGone(id: string, secret = key): Promise<void> {
  expectMiss(await read(id, { secret }), id);
  expectMiss(await post({ model: 'on-openai-chat', input: 'hi', previous_response_id: id }, secret), id);
}

describe.each([...chatWires])('on %s', (wire) => {
  const model = `on-${wire}`;

  test('a response is read again byte for byte [STO-01] [STO-02] [STO-19]', async () => {
    for (const body of [{ model }, { model, store: true }]) {
      const { text, body: response } = await made({ ...body, input: 'say: "ünï \\u0041 模型"' });
      const again = await read(response.id);
      expect(again.status).toBe(200);
      expect(again.headers.get('content-type')).toBe('application/json');
      expect(again.text).toEqual(text);
    }
  });

  test("stores the response of a stream's last event [STO-20]", async () => {
    for (const fields of [{}, { input: 'count to 100', max_output_tokens: 16 }, { reasoning: {} }]) {
      const { text } = await made({ model, stream: true, ...fields });
      const envelope = streamedEnvelope(text);
      expect((await read(JSON.parse(envelope).id)).text).toBe(envelope);
    }
  });

  test('sends all turns of a chain of three to the model, and the instructions of the last only [STO-10] [STO-11] [RSP-09]', async () => {
    const first = await made({ model, input: 'say: one', instructions: 'be brief' });
    const second = await made({
      model,
      input: 'say: two',
      previous_response_id: first.body.id,
      stream: true,
    });
    const { id } = JSON.parse(streamedEnvelope(second.text));
    for (const { response } of dataOf(second.text).filter((event) => event.response))
      expect(response.previous_response_id).toBe(first.body.id);
    const third = await made({
      model,
      input: [{ role: 'user', content: 'say: three' }],
      previous_response_id: id,
    });
    expect(third.body.previous_response_id).toBe(id);
    expect(sent()).toMatch(/say: one.*\[simulated\] one.*say: two.*\[simulated\] two.*say: three/);
    expect(sent()).not.toContain('be brief');
    expect(sent()).not.toContain(first.body.id);
  });

  test('continues a tool call over a chain [RSP-13]', async () => {
    const parameters = { type: 'object', properties: { place: { type: 'string' } } };
    const tools = [{ type: 'function', name: 'weather', parameters }];
    const asked = await made({ model, tools, input: 'call weather with {"place": "Rome"}' });
    const [{ call_id }] = asked.body.output;
    const reported = await made({
      model,
      tools,
      previous_response_id: asked.body.id,
      input: [{ type: 'function_call_output', call_id, output: 'rain today' }],
    });
    expect(reported.body.output[0].content[0].text).toContain('rain today');
  });

  test('returns reasoning to the model that produced it', async () => {
    const fields = { model, reasoning: { effort: 'low' } };
    const shown = await made({ ...fields, input: 'say: one' });
    await made({ ...fields, input: 'say: two', previous_response_id: shown.body.id });
    // Google asks for its signature only.
    expect(sent()).toMatch(
      wire === 'google-generate' ? /thoughtSignature/ : /pretends to think|encrypted_content/,
    );
  });

  test.each([...chatWires])('continues a chain with a model on %s', async (other) => {
    const fields = { reasoning: { effort: 'low' } };
    const first = await made({ ...fields, model, input: 'say: one' });
    const second = await made({
      ...fields,
      model: `on-${other}`,
      input: 'say: two',
      previous_response_id: first.body.id,
    });
    expect(sent()).toMatch(/say: one.*\[simulated\] one.*say: two/);
    const third = await made({
      ...fields,
      model,
      input: 'say: three',
      previous_response_id: second.body.id,
    });
    expect(third.body.output_text ?? third.body.output.at(-1).content?.[0].text ?? '').toBeString();
    expect(sent()).toMatch(/say: one.*\[simulated\] one.*say: two.*\[simulated\] two.*say: three/);
  });

  test("accepts an item's id in place of the item", async () => {
    const first = await made({ model, input: 'say: one' });
    const [{ id }] = first.body.output;
    const input: object[] = [
      { role: 'user', content: 'say: one' },
      { type: 'item_reference', id },
      { role: 'user', content: 'say: two' },
    ];
    for (const reference of [{ type: 'item_reference', id }, { type: null, id }, { id }]) {
      await made({ model, input: input.with(1, reference) });
      expect(sent()).toMatch(/say: one.*\[simulated\] one.*say: two/);
    }
    for (const wrong of [{ type: 'item_reference' }, { type: 'item_reference', id: 5 }])
      expectRefusal(await post({ model, input: [wrong] }), 400, 'invalid_request', 'input[0].id');
    for (const asked of [id, 'msg_unknown']) {
      const answer = await post(
        { model, input: [{ type: 'item_reference', id: asked }] },
        asked === id ? stranger.key : key,
      );
      const error = expectRefusal(answer, 404, 'not_found', 'input[0].id');
      expect(error.message).toContain(asked);
    }
  });
});

test("keeps encrypted reasoning, shows it on request only, and sends it back for a previous response's id", async () => {
  const model = 'on-openai-responses';
  const reasoning = { effort: 'low' };
  const first = await made({ model, input: 'say: one', reasoning });
  expect(first.text).not.toContain('encrypted_content');
  const open = await made({ model, input: 'say: one', reasoning, include: ['reasoning.encrypted_content'] });
  const encrypted = open.body.output[0].encrypted_content;
  expect(encrypted).toBeString();
  await made({ model, input: 'say: two', reasoning, previous_response_id: first.body.id });
  expect(sent()).toContain(encrypted);
  const [thought, message] = first.body.output;
  await made({ model, input: [{ role: 'user', content: 'say: one' }, thought, message] });
  expect(sent()).toContain(encrypted);
  await made({ model: 'on-openai-chat', input: 'say: two', previous_response_id: first.body.id });
  expect(sent()).not.toContain(encrypted);
  const unknown = { type: 'reasoning', id: 'rs_unknown', summary: [] };
  await made({ model, input: [unknown, { role: 'user', content: 'hi' }] });
  expect(sent()).not.toContain('rs_unknown');
});

test('drops and reports reasoning that another model cannot read, after a change of model or a substitution', async () => {
  const asked = { reasoning: { effort: 'low' }, include: ['reasoning.encrypted_content'] };
  const losses = ({ headers }: Answer) => headers.get('x-svc-translation-losses');
  const first = await made({ ...asked, model: 'on-openai-responses', input: 'say: one' });
  const [{ encrypted_content: encrypted }] = first.body.output;
  const next = { ...asked, input: 'say: two', previous_response_id: first.body.id };
  expect(losses(await made({ ...next, model: 'on-openai-responses' }))).toBeNull();
  const changed = await made({ ...next, model: 'ill' });
  expect(losses(changed)).toBe('replay-token, thinking-block');
  expect(changed.headers.get('x-svc-served-by')).toBe('on-openai-responses');
  const strict = { ...bearer(key), 'x-svc-strict': 'true' };
  const body = { ...next, model: 'on-openai-chat' };
  expectRefusal(await server().call('/v1/responses', { headers: strict, body }), 422, 'route_not_qualified');
  const input = [
    { role: 'user', content: 'say: one' },
    ...first.body.output,
    { role: 'user', content: 'hi' },
  ];
  expect(losses(await made({ ...asked, model: 'ill', input }))).toBe('replay-token, thinking-block');
  expect(sent()).not.toContain(encrypted);
  // Only the model that answered can read its encrypted reasoning.
  const { body: substituted } = await made({ ...asked, model: 'ill', input: 'say: three' });
  const [thought] = substituted.output;
  await made({ model: 'on-openai-responses', input: 'say: four', previous_response_id: substituted.id });
  expect(sent()).toContain(thought.encrypted_content);
});

test('an unstored response can be neither read nor continued [STO-03] [STO-04]', async () => {
  for (const wire of chatWires) {
    const { body } = await made({ model: `on-${wire}`, store: false });
    await expectGone(body.id);
  }
});

test('an unstored request can continue a stored response', async () => {
  const { body } = await made({ input: 'say: one' });
  const next = await made({ input: 'say: two', previous_response_id: body.id, store: false });
  expect(sent()).toMatch(/say: one.*say: two/);
  await expectGone(next.body.id);
});

test('does not store a failed response', async () => {
  const body = { model: 'failing', input: 'count to 50', stream: true };
  const { text } = await server().call('/v1/responses', { headers: bearer(key), body, begun: begun.resolve });
  const { response } = dataOf(text).at(-1);
  expect(response.status).toBe('failed');
  await expectGone(response.id);
});

describe('stores a response of at most 512 KB', () => {
  const LIMIT = 524_288;
  const sized = async (model: string, bytes: number): Promise<Answer> => {
    const empty = await made({ model, input: 'say: x', metadata: { fill: '' } });
    return made({ model, input: 'say: x', metadata: { fill: fill(bytes - empty.text.length) } });
  };
  const fill = (length: number) => 'f'.repeat(length);

  test.each(['on-openai-chat', 'on-openai-responses'])('%s [STO-05] [STO-06] [STO-07]', async (model) => {
    const kept = await sized(model, LIMIT);
    expect(Buffer.byteLength(kept.text)).toBe(LIMIT);
    expect((await read(kept.body.id)).text).toBe(kept.text);
    await made({ model, input: 'hi', previous_response_id: kept.body.id });
    const larger = await sized(model, LIMIT + 1);
    expect(Buffer.byteLength(larger.text)).toBe(LIMIT + 1);
    await expectGone(larger.body.id);
  });
});

test('returns the same error for every id that the caller cannot read [STO-12] [STO-13] [STO-18] [STO-23]', async () => {
  const id = `resp_${'0'.repeat(22)}`;
  await expectGone(id);
  const { body } = await post({ model: 'on-openai-chat', input: 'hi', previous_response_id: id });
  expect(body.error.type).toBe('invalid_request_error');
});

test('shows a response to no other key [STO-14] [STO-15] [STO-16]', async () => {
  const { body } = await made({});
  for (const { key: secret } of [sibling, stranger]) {
    await expectGone(body.id, secret);
    expectMiss(await read(body.id, { secret, method: 'DELETE' }), body.id);
    expectMiss(await read(body.id, { secret, query: '/input_items' }), body.id);
  }
  expect((await read(body.id)).status).toBe(200);
});

test('requires a key to read [STO-17]', async () => {
  const { body } = await made({});
  expectRefusal(await server().call(`/v1/responses/${body.id}`), 401, 'missing_api_key');
});

test('a deleted response is gone, and its continuations still work [STO-21]', async () => {
  const first = await made({ input: 'say: one' });
  const second = await made({ input: 'say: two', previous_response_id: first.body.id });
  const deleted = await read(first.body.id, { method: 'DELETE' });
  expect({ status: deleted.status, body: deleted.body }).toEqual({
    status: 200,
    body: { id: first.body.id, object: 'response', deleted: true },
  });
  await expectGone(first.body.id);
  expectMiss(await read(first.body.id, { method: 'DELETE' }), first.body.id);
  await made({ input: 'say: three', previous_response_id: second.body.id });
  expect(sent()).toMatch(/say: one.*\[simulated\] one.*say: two.*say: three/);
  await client().responses.delete(second.body.id);
  await expectGone(second.body.id);
});

test('refuses to stream a stored response again', async () => {
  const { body, text } = await made({});
  for (const param of ['stream', 'starting_after'])
    expectRefusal(await read(body.id, { query: `?${param}=true` }), 400, 'invalid_request', param);
  expect((await read(body.id, { query: '?stream=false&include=x' })).text).toBe(text);
});

test("serves the official client's reads", async () => {
  const response = await client().responses.create({ model: 'on-openai-chat', input: 'say: hello' });
  const again = await client().responses.retrieve(response.id);
  expect({ id: again.id, output_text: again.output_text }).toEqual({
    id: response.id,
    output_text: '[simulated] hello',
  });
});

test('refuses a conversation that grows beyond the body limit', async () => {
  const image_url = `data:image/png;base64,${'A'.repeat(6 * 1024 * 1024)}`;
  const content = [
    { type: 'input_image', image_url },
    { type: 'input_text', text: 'say: a' },
  ];
  const input = [{ role: 'user', content }];
  const first = await made({ input });
  const answer = await post({ model: 'on-openai-chat', input, previous_response_id: first.body.id });
  expectRefusal(answer, 400, 'context_length_exceeded', 'previous_response_id');
});

test('reports a fault in an earlier turn by previous_response_id, and one of this turn by its path', async () => {
  const image_url = 'data:image/png;base64,AAAA';
  const input = [{ role: 'user', content: [{ type: 'input_image', image_url }] }];
  const seen = await made({ input });
  const text = await made({ input: 'say: one' });
  const ask = (previous: Json, turn: Json) =>
    post({ model: 'blind', input: turn, previous_response_id: previous.id });
  expectRefusal(await ask(seen.body, 'hi'), 400, 'invalid_request', 'previous_response_id');
  expectRefusal(await ask(text.body, input), 400, 'invalid_request', 'input[0].content[0]');
});

test('keeps a completed response through SIGKILL, byte for byte [STO-24]', async () => {
  const whole = await made({ input: 'say: one' });
  const streamed = streamedEnvelope((await made({ input: 'say: two', stream: true })).text);
  await restart();
  expect((await read(whole.body.id)).text).toBe(whole.text);
  expect((await read(JSON.parse(streamed).id)).text).toBe(streamed);
  await made({ input: 'say: three', previous_response_id: whole.body.id });
  expect(sent()).toMatch(/say: one.*say: three/);
});

test('keeps a response for a day, and longer for its continuations [STO-08] [STO-09]', async () => {
  const hour = 3_600;
  const advance = (advance_s: number) => server().admin('POST', '/test/clock', { advance_s });
  const first = await made({ input: 'say: one' });
  await advance(23 * hour);
  const second = await made({ input: 'say: two', previous_response_id: first.body.id });
  expect((await read(first.body.id)).status).toBe(200);
  await advance(hour + 60);
  await expectGone(first.body.id);
  await made({ input: 'say: three', previous_response_id: second.body.id });
  expect(sent()).toMatch(/say: one.*say: two.*say: three/);
});

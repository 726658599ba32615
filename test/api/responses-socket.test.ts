import { afterAll, describe, expect, test } from 'bun:test';
import OpenAI from 'openai';
import { ResponsesWS } from 'openai/resources/responses/ws';
import { READS_PER_REQUEST } from '../../src/settings/plans/plan.ts';
import { bearer, type Json } from '../support/call.ts';
import { expectRefusal } from '../support/expect-refusal.ts';
import { openResponsesSocket, TURN_ENDS } from '../support/open-responses-socket.ts';
import { startFailingSimulators } from '../support/start-failing-simulators.ts';
import { startServer } from '../support/start-server.ts';
import { waitFor } from '../support/wait-for.ts';
import { ableModel, chatWires } from '../support/wire-models.ts';

const simulators = startFailingSimulators([
  ableModel('slow-responses', [{ provider: 'openai-responses', model: 'slow!stall-after=5' }]),
]);
const { upstream, config } = simulators;
const server = await startServer({ config });
afterAll(async () => {
  simulators.resume();
  await server.stop();
  await simulators.stop();
});

const { key, account } = await server.createKey('enterprise');

/** Opens a socket whose turns return the event that ends them. */
async function open(ownKey = key) {
  const socket = await openResponsesSocket(server.url, ownKey);
  const turn = async (fields: Json): Promise<Json> =>
    (await socket.turn(fields)).find(({ type }) => TURN_ENDS.includes(type));
  return { ...socket, turn };
}

const sent = () => JSON.stringify(upstream.requests().at(-1)!.body);
const call = (body: Json) => server.call('/v1/responses', { headers: bearer(key), body });
const ledger = async (): Promise<Json[]> =>
  (await server.admin('GET', `/accounts/${account}/ledger?limit=1000`)).body.data.filter(
    ({ kind }: Json) => kind === 'usage',
  );

describe.each(chatWires)('on %s', (wire) => {
  const model = `on-${wire}`;

  test('turns have the events and the charge of a stream over HTTP [WSR-01] [WSR-02]', async () => {
    const socket = await open();
    const fields = { model, input: 'say: one two three', reasoning: { effort: 'low' } };
    const { response } = await socket.turn(fields);
    const { text } = await call({ ...fields, stream: true });
    const types = [...text.matchAll(/^event: (.*)$/gm)].map(([, type]) => type);
    expect(socket.events.map(({ type }) => type)).toEqual(types as never);
    expect(socket.events.map(({ sequence_number }) => sequence_number)).toEqual([...types.keys()]);
    const [over, before] = await ledger();
    expect(over.microcredits).toBe(before.microcredits);
    expect(over.microcredits).toBeGreaterThan(0);
    const read = await server.call(`/v1/responses/${response.id}`, { headers: bearer(key) });
    expect(read.body).toEqual(response);
    socket.close();
  });

  test('a turn continues the latest response, which the store need not have [WSR-03]', async () => {
    const socket = await open();
    const warm = await socket.turn({
      model,
      input: [{ role: 'user', content: 'Remember plum.' }],
      generate: false,
      store: false,
    });
    expect(warm).toMatchObject({
      type: 'response.completed',
      response: { output: [], usage: { total_tokens: 0 } },
    });
    const calls = upstream.requests().length;
    const first = await socket.turn({
      model,
      input: 'say: first',
      previous_response_id: warm.response.id,
      store: false,
    });
    expect(upstream.requests().length).toBe(calls + 1);
    expect(sent()).toContain('plum');
    expect(first.response).toMatchObject({ previous_response_id: warm.response.id, store: false });
    const second = await socket.turn({
      model,
      input: 'say: second',
      previous_response_id: first.response.id,
      store: false,
    });
    expect(sent()).toContain('plum');
    expect(sent()).toContain('first');
    expect(second.type).toBe('response.completed');
    const over = await call({ model, input: 'say: third', previous_response_id: second.response.id });
    expectRefusal(over, 404, 'not_found', 'previous_response_id');
    const kept = await socket.turn({ model, input: 'say: kept' });
    const unkept = await socket.turn({
      model,
      input: 'say: unkept',
      previous_response_id: kept.response.id,
      store: false,
    });
    const after = await socket.turn({ model, input: 'say: after', previous_response_id: unkept.response.id });
    expect(after.response.previous_response_id).toBe(unkept.response.id);
    expect(sent()).toContain('kept');
    expect(sent()).toContain('unkept');
    const chained = await socket.turn({ model, input: 'Go on.', previous_response_id: kept.response.id });
    expect(chained.type).toBe('response.completed');
    socket.close();
  });
});

test('the official client runs turns', async () => {
  const client = new OpenAI({ apiKey: key, baseURL: `${server.url}/v1` });
  const socket = new ResponsesWS(client);
  const events: Json[] = [];
  socket.on('event', (event: Json) => events.push(event));
  socket.send({ type: 'response.create', model: 'on-openai-chat', input: 'say: hello' });
  await waitFor(() => events.some(({ type }) => type === 'response.completed'));
  expect(events.find(({ type }) => type === 'response.output_text.done').text).toContain('hello');
  socket.close();
});

test('a refused turn is one event on a connection that stays open [WSR-04]', async () => {
  const socket = await open();
  const refused = [
    ['{', 400, 'invalid_json', null],
    [{ type: 'response.dance' }, 400, 'invalid_request', 'type'],
    [{ type: 'response.create', input: 'x' }, 400, 'invalid_request', 'model'],
    [{ type: 'response.create', model: 'nothing', input: 'x' }, 404, 'unknown_model', 'model'],
    [
      { type: 'response.create', model: 'on-openai-chat', input: 'x', background: true },
      400,
      'invalid_request',
      'background',
    ],
    [
      { type: 'response.create', model: 'on-openai-chat', input: 'x', previous_response_id: 'resp_none' },
      404,
      'not_found',
      'previous_response_id',
    ],
  ] as const;
  for (const [event, status, code, param] of refused) {
    const from = socket.events.length;
    socket.send(event);
    const answer = await socket.next(({ type }) => type === 'error', from);
    expect(answer).toMatchObject({ type: 'error', status, error: { code, param } });
  }
  const lost = await socket.turn({
    model: 'cut',
    input: 'say: one two three four five six seven eight nine',
  });
  expect(lost.type).toBe('error');
  await socket.next(({ type }) => type === 'response.failed');
  expect((await socket.turn({ model: 'on-openai-chat', input: 'say: hi' })).type).toBe('response.completed');
  socket.close();
});

test('lanes run at once, each with one turn after the other [WSR-05]', async () => {
  const socket = await open();
  socket.send({
    type: 'response.create',
    stream_id: 'slow',
    model: 'slow',
    input: 'say: words that take long',
  });
  await socket.next(({ stream_id }) => stream_id === 'slow');
  for (const text of ['a', 'b'])
    socket.send({
      type: 'response.create',
      stream_id: 'quick',
      model: 'on-openai-chat',
      input: `say: ${text}`,
    });
  const isEnd = ({ type, stream_id }: Json) => type === 'response.completed' && stream_id === 'quick';
  await waitFor(() => socket.events.filter(isEnd).length === 2);
  const said = socket.events.filter(isEnd).map(({ response }) => response.output[0].content[0].text);
  expect(said).toEqual(['[simulated] a', '[simulated] b']);
  for (let lane = 0; lane < 7; lane++)
    socket.send({
      type: 'response.create',
      stream_id: `more-${lane}`,
      model: 'slow',
      input: 'say: words that take long',
    });
  socket.send({ type: 'response.create', stream_id: 'last', model: 'on-openai-chat', input: 'x' });
  const refused = await socket.next(({ type }) => type === 'error');
  expect(refused).toMatchObject({
    status: 429,
    stream_id: 'last',
    error: { code: 'concurrency_limit_exceeded' },
  });
  socket.close();
});

test('a client that leaves ends its turns at the price of what was written [WSR-05]', async () => {
  const other = await server.createKey('pro');
  const socket = await open(other.key);
  socket.send({ type: 'response.create', model: 'slow', input: 'say: words that take long' });
  await socket.next(({ type }) => type === 'response.output_text.delta');
  socket.close();
  const charges = async () =>
    (await server.admin('GET', `/accounts/${other.account}/ledger`)).body.data.filter(
      ({ kind }: Json) => kind === 'usage',
    );
  await waitFor(async () => (await charges()).length === 1);
  const [charge] = await charges();
  expect(charge).toMatchObject({ receipt: { outcome: 'left', estimated: true } });
  // The upstream stalls after its third event.
  expect(charge.output_tokens).toBeWithin(1, 10);
  expect(charge.input_tokens).toBeGreaterThan(0);
  const isEnded = async () => (await server.admin('GET', '/providers/openai-chat')).body.slots_in_use === 0;
  await waitFor(isEnded);
});

test('sockets that are opened, and turns that generate nothing, count as reads', async () => {
  const socket = await open((await server.createKey('free')).key);
  const warm = () => socket.turn({ model: 'slow', input: 'say: nothing', generate: false });
  for (let reads = 1; reads < 15 * READS_PER_REQUEST; reads++) await warm();
  expect(socket.events.some(({ type }) => type === 'error')).toBe(false);
  expect(await warm()).toMatchObject({ status: 429, error: { code: 'rate_limit_exceeded' } });
});

test('steering is accepted, continued, left pending or refused [WSR-06]', async () => {
  const socket = await open();
  const steer = (id: string, input: unknown = 'say: steered') =>
    socket.send({ type: 'response.steer', previous_response_id: id, input });
  const failure = async (code: string, from: number) =>
    expect(await socket.next(({ type }) => type === 'response.steer.failed', from)).toMatchObject({
      error: { code },
    });
  steer('resp_none');
  await failure('response_not_found', 0);
  socket.send({
    type: 'response.create',
    stream_id: 'chat',
    model: 'slow',
    input: 'say: words that take long',
  });
  const { response: chat } = await socket.next(({ type }) => type === 'response.created');
  let from = socket.events.length;
  steer(chat.id);
  await failure('steering_not_supported', from);
  from = socket.events.length;
  socket.send({
    type: 'response.create',
    stream_id: 'own',
    model: 'slow-responses',
    input: 'say: words that take long',
  });
  const { response } = await socket.next(
    ({ type, stream_id }) => type === 'response.created' && stream_id === 'own',
    from,
  );
  from = socket.events.length;
  steer(response.id, [{ role: 'system', content: 'no' }]);
  await failure('invalid_input', from);
  steer(response.id);
  const accepted = await socket.next(({ type }) => type === 'response.steer.accepted', from);
  expect(accepted).toMatchObject({ stream_id: 'own', steer: { previous_response_id: response.id } });
  socket.close();
});

test('steered input becomes the next turn, or waits for the results of calls [WSR-06]', async () => {
  const socket = await open();
  const tools = [{ type: 'function', name: 'find', parameters: { type: 'object', properties: {} } }];
  const rounds = [{ input: 'repeat 400 words' }, { input: 'call find with {}', tools }];
  for (const [index, fields] of rounds.entries()) {
    const from = socket.events.length;
    socket.send({ type: 'response.create', model: 'on-openai-responses', ...fields });
    const { response } = await socket.next(({ type }) => type === 'response.created', from);
    socket.send({ type: 'response.steer', previous_response_id: response.id, input: 'say: steered' });
    const answer = await socket.next(({ type }) => /^response.steer/.test(type), from);
    if (answer.type === 'response.steer.failed') continue; // the turn had ended before
    if (index === 0) {
      const next = await socket.next(
        ({ type, response: made }) =>
          type === 'response.completed' && made.previous_response_id === response.id,
        from,
      );
      expect(next.response.output[0].content[0].text).toContain('steered');
    } else {
      const pending = await socket.next(({ type }) => type === 'response.steer.pending', from);
      expect(pending.required_input).toMatchObject([{ type: 'function_call_output' }]);
      const output = [{ ...pending.required_input[0], output: 'found' }];
      const ended = await socket.turn({
        model: 'on-openai-responses',
        previous_response_id: response.id,
        input: output,
        tools,
      });
      expect(ended.type).toBe('response.completed');
      expect(sent()).toContain('steered');
    }
  }
  socket.close();
});

test('an upgrade needs a valid key and the Upgrade header [WSR-07]', async () => {
  const upgrade = {
    upgrade: 'websocket',
    connection: 'Upgrade',
    'sec-websocket-key': 'dGhlIHNhbXBsZSBub25jZQ==',
    'sec-websocket-version': '13',
  };
  const get = (headers: Record<string, string>) => server.call('/v1/responses', { headers, method: 'GET' });
  expect((await get({ ...upgrade, ...bearer('svc_no') })).status).toBe(401);
  const { 'sec-websocket-key': secKey } = upgrade;
  expect((await get({ ...bearer(key), 'sec-websocket-key': secKey })).status).toBe(426);
  expect((await get(bearer(key))).status).toBe(405);
});

test('bounds of the configuration close a socket, foreign origins open none, a drain closes it with a reason, and 426 switches sockets off [WSR-07] [RSP-34]', async () => {
  const small = { ...config, limits: { socket_idle_s: 0.3, socket_message_mb: 0.001 } };
  const other = await startServer({ config: small });
  const { key: own } = await other.createKey('pro');
  const at = async () => {
    const socket = new WebSocket(`${other.url.replace('http', 'ws')}/v1/responses`, {
      headers: bearer(own),
    } as never);
    let code = 0;
    const events: Json[] = [];
    socket.onmessage = ({ data }) => events.push(JSON.parse(String(data)));
    socket.onclose = (event) => {
      code = event.code;
    };
    await waitFor(() => socket.readyState === WebSocket.OPEN);
    return { socket, events, code: () => code };
  };
  const idle = await at();
  await waitFor(() => idle.code() === 1001);
  const big = await at();
  big.socket.send(JSON.stringify({ type: 'response.create', input: 'x'.repeat(2_000) }));
  await waitFor(() => big.code() === 1009);
  expect(big.events[0]).toMatchObject({ type: 'error', status: 413 });
  const cors = { origins: ['https://ours.example'] };
  other.configure({ ...small, limits: { socket_idle_s: 60 }, server: { cors } });
  await other.reload();
  const asPage = async (origin: string) => {
    const socket = new WebSocket(`${other.url.replace('http', 'ws')}/v1/responses`, {
      headers: { ...bearer(own), origin },
    } as never);
    await waitFor(() => socket.readyState !== WebSocket.CONNECTING);
    const isOpen = socket.readyState === WebSocket.OPEN;
    socket.close();
    return isOpen;
  };
  expect(await asPage('https://theirs.example')).toBe(false);
  expect(await asPage('https://ours.example')).toBe(true);
  other.configure({ ...small, limits: { socket_idle_s: 60 }, server: { responses_websocket: false } });
  const left = await at();
  await other.reload();
  const off = await other.call('/v1/responses', {
    method: 'GET',
    headers: {
      ...bearer(own),
      upgrade: 'websocket',
      connection: 'Upgrade',
      'sec-websocket-key': 'dGhlIHNhbXBsZSBub25jZQ==',
      'sec-websocket-version': '13',
    },
  });
  expectRefusal(off, 426, 'upgrade_required');
  const stopping = other.stop();
  await waitFor(() => left.code() !== 0);
  expect(await stopping).toBe(0);
});

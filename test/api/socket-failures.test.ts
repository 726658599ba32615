import { afterAll, describe, expect, test } from 'bun:test';
import { serveSimulator } from '../../src/simulator/serving/serve-simulator.ts';
import { bearer, type Json } from '../support/call.ts';
import { openResponsesSocket } from '../support/open-responses-socket.ts';
import { startServer } from '../support/start-server.ts';
import { waitFor } from '../support/wait-for.ts';
import { ableModel, chatWires, wirePrefix } from '../support/wire-models.ts';

const upstream = serveSimulator();
/** The failures of the upstream, by the end of the model's name. */
const faults = {
  well: '',
  failing: '!status=500',
  refusing: '!status=400',
  cut: '!cut-after=12',
  slow: '!stall-after=12',
};
const server = await startServer({
  config: {
    providers: chatWires.map((wire) => ({ id: wire, wire, base_url: upstream.url + wirePrefix[wire] })),
    catalog: {
      default: false,
      models: chatWires.flatMap((wire) =>
        Object.entries(faults).map(([name, fault]) =>
          ableModel(`${name}-${wire}`, [{ provider: wire, model: `hidden${fault}` }]),
        ),
      ),
    },
  },
});
afterAll(async () => {
  await server.stop();
  await upstream.stop();
});

const charges = async (account: string): Promise<Json[]> =>
  (await server.admin('GET', `/accounts/${account}/ledger`)).body.data.filter(
    ({ kind }: Json) => kind === 'usage',
  );
const factsOf = ({ microcredits, input_tokens, output_tokens, receipt }: Json) => ({
  microcredits,
  input_tokens,
  output_tokens,
  outcome: receipt.outcome,
});

/** Names, times and ids of a turn differ from those of another request. */
const formOf = (events: readonly Json[]): string[] => events.map(({ type }) => type);
const WORDS = 'repeat 60 words';

describe.each(chatWires)('on %s', (wire) => {
  const stream = async (key: string, fields: Json) => {
    const answer = await server.call('/v1/responses', {
      headers: bearer(key),
      body: { ...fields, stream: true },
    });
    const events = [...answer.text.matchAll(/^data: (\{.*)$/gm)].map(([, data]) => JSON.parse(data!) as Json);
    return { answer, events };
  };
  /** Two keys of accounts of their own, one for each door. */
  const doors = async () => {
    const ofSocket = await server.createKey('pro');
    const ofHttp = await server.createKey('pro');
    return { ofSocket, ofHttp, socket: await openResponsesSocket(server.url, ofSocket.key) };
  };
  const expectGood = async (socket: Awaited<ReturnType<typeof openResponsesSocket>>) => {
    expect(formOf(await socket.turn({ model: `well-${wire}`, input: 'say: hi' })).at(-1)).toBe(
      'response.completed',
    );
    socket.close();
  };

  test('a refusal of the model has the events and the charge of HTTP', async () => {
    const { ofSocket, ofHttp, socket } = await doors();
    const fields = { model: `well-${wire}`, input: 'refuse: I cannot help with that' };
    const turn = await socket.turn(fields);
    expect(formOf(turn)).toEqual(formOf((await stream(ofHttp.key, fields)).events));
    // Google's models refuse without a text.
    expect(JSON.stringify(turn.at(-1))).toMatch(/I cannot help with that|content_filter/);
    await expectGood(socket);
    const [[, own], [http]] = [await charges(ofSocket.account), await charges(ofHttp.account)];
    expect(factsOf(own)).toEqual(factsOf(http));
  });

  test.each([
    'failing',
    'refusing',
  ])('an upstream that is %s makes an error of the turn, as over HTTP, free of charge', async (name) => {
    const { ofSocket, ofHttp, socket } = await doors();
    const fields = { model: `${name}-${wire}`, input: WORDS };
    const { answer } = await stream(ofHttp.key, fields);
    expect(await socket.turn(fields)).toEqual([
      { type: 'error', status: answer.status, error: answer.body.error } as Json,
    ]);
    expect(await charges(ofSocket.account)).toEqual([]);
    expect(await charges(ofHttp.account)).toEqual([]);
    await expectGood(socket);
  });

  test('an upstream that breaks off ends the turn as a stream over HTTP', async () => {
    const { ofSocket, ofHttp, socket } = await doors();
    const fields = { model: `cut-${wire}`, input: WORDS };
    const { events } = await stream(ofHttp.key, fields);
    socket.begin(fields);
    await waitFor(() => socket.events.length >= events.length);
    expect(formOf(socket.events)).toEqual(formOf(events));
    expect(formOf(events)).toContain('response.failed');
    await expectGood(socket);
    const [own] = (await charges(ofSocket.account)).slice(1);
    const [http] = await charges(ofHttp.account);
    expect(own && factsOf(own)).toEqual(http && factsOf(http));
  });

  test('a client that leaves pays for what was written, as over HTTP', async () => {
    const { ofSocket, ofHttp, socket } = await doors();
    const fields = { model: `slow-${wire}`, input: WORDS };
    socket.begin(fields);
    await socket.next(({ type }) => type === 'response.output_text.delta');
    socket.close();
    const leaving = new AbortController();
    const response = await fetch(`${server.url}/v1/responses`, {
      method: 'POST',
      headers: bearer(ofHttp.key),
      body: JSON.stringify({ ...fields, stream: true }),
      signal: leaving.signal,
    });
    let text = '';
    for await (const chunk of response.body!) {
      text += new TextDecoder().decode(chunk);
      if (text.includes('response.output_text.delta')) break;
    }
    leaving.abort();
    const all = async () => [...(await charges(ofSocket.account)), ...(await charges(ofHttp.account))];
    await waitFor(async () => (await all()).length === 2);
    const [own, http] = (await all()).map(factsOf);
    expect(own!.outcome).toBe(http!.outcome);
    expect(own!.input_tokens).toBe(http!.input_tokens);
    expect(own!.output_tokens).toBeGreaterThan(0);
  });
});

test('the error of a turn after the time limit of its socket names the limit while an earlier turn runs', async () => {
  const brief = await startServer({
    config: {
      providers: [{ id: 'one', wire: 'openai-chat', base_url: `${upstream.url}/v1` }],
      catalog: {
        default: false,
        models: [ableModel('slow', [{ provider: 'one', model: 'hidden!stall-after=3' }])],
      },
      limits: { socket_s: 1 },
    },
  });
  const socket = await openResponsesSocket(brief.url, (await brief.createKey('pro')).key);
  const turn = { model: 'slow', input: 'repeat 60 words' };
  socket.begin(turn);
  await waitFor(() => socket.events.length > 0);
  await Bun.sleep(1_200);
  socket.begin({ ...turn, stream_id: 'late' });
  await waitFor(() => socket.events.some(({ stream_id }) => stream_id === 'late'));
  const late = socket.events.find(({ stream_id }) => stream_id === 'late');
  expect(late).toMatchObject({ status: 400, error: { code: 'websocket_connection_limit_reached' } });
  socket.close();
  await brief.stop();
});

import { expect } from 'bun:test';
import { type Answer, bearer, type Json } from '../support/call.ts';
import { type CreatedKey, startServer, type TestServerOptions } from '../support/start-server.ts';
import { wideLimits } from '../support/wide-limits.ts';
import { startFormUpstream } from './form-upstream.ts';

const model = (id: string, wire: string, fields: Json) => ({
  id,
  plan: 'free',
  delivery: 'exact',
  routes: [{ provider: `hidden-${wire}`, model: `hidden-${id}` }],
  ...fields,
});
const twice = (wire: string) => [
  { provider: `hidden-${wire}`, model: 'hidden-sick', weight: 2 },
  { provider: `hidden-${wire}-too`, model: 'hidden-well', weight: 1 },
];

export const USD_PER_SECOND = 0.0001;
const perSecond = { metered_usd: { per_second: USD_PER_SECOND } };
const perImage = {
  metered_usd: { per_image: [{ size: '1024x1024', quality: 'high', usd: 0.167 }, { usd: 0.25 }] },
};

const models = [
  model('hears', 'openai-audio', { kind: 'transcription', ...perSecond }),
  model('hears-tokens', 'openai-audio', {
    kind: 'transcription',
    pricing_usd_per_mtok: { input: 2.5, output: 10 },
    extras_usd: { audio_input: 6 },
  }),
  model('hears-twice', 'openai-audio', {
    kind: 'transcription',
    ...perSecond,
    routes: twice('openai-audio'),
  }),
  model('hears-plainly', 'openai-audio', { kind: 'transcription', ...perSecond, refuses: ['temperature'] }),
  model('edits', 'openai-images', { kind: 'image', ...perImage }),
  model('edits-twice', 'openai-images', { kind: 'image', ...perImage, routes: twice('openai-images') }),
  model('talks', 'openai-chat', { context_window: 8_192, pricing_usd_per_mtok: { input: 1, output: 4 } }),
];
const wires = ['openai-audio', 'openai-images', 'openai-chat'];

/** Starts a server whose models take forms, and an upstream that is scripted. */
export async function startFormGateway(options: TestServerOptions = {}) {
  const upstream = startFormUpstream();
  const server = await startServer({
    ...options,
    config: {
      simulator: { mode: 'off' },
      plans: wideLimits,
      providers: wires.flatMap((wire) =>
        ['', '-too'].map((more) => ({
          id: `hidden-${wire}${more}`,
          wire,
          base_url: upstream.url,
          api_key: 'key',
        })),
      ),
      catalog: { default: false, models },
      ...(options.config as Json),
    },
  });
  const bought = async (microcredits: number): Promise<CreatedKey> => {
    const key = await server.createKey('payg');
    const given = { credits: microcredits / 1e6, balance: 'purchased', reason: 'a test' };
    expect((await server.admin('POST', `/accounts/${key.account}/adjustments`, given)).status).toBe(201);
    return key;
  };
  const send = (path: string, key: CreatedKey | undefined, body: FormData | Json, more: RequestInit = {}) =>
    fetch(server.url + path, {
      method: 'POST',
      headers: key ? bearer(key.key) : {},
      body: body instanceof FormData ? body : JSON.stringify(body),
      ...more,
    });
  return {
    server,
    upstream,
    bought,
    send,
    /** Sends a form, and returns the whole answer. */
    async call(key: CreatedKey, path: string, body: FormData | Json): Promise<Answer> {
      const response = await send(path, key, body);
      const text = await response.text();
      const isJson = response.headers.get('content-type')?.includes('json');
      const { status, headers } = response;
      return { status, headers, text, body: isJson ? JSON.parse(text) : undefined };
    },
    receiptOf: async ({ key }: CreatedKey, { headers }: Pick<Answer, 'headers'>): Promise<Json> =>
      (await server.call(`/v1/usage/${headers.get('x-svc-request-id')}`, { headers: bearer(key) })).body,
    /** The purchased credit that is left, in micro-credits. */
    left: async ({ key }: CreatedKey): Promise<number> =>
      Math.round((await server.call('/v1/usage', { headers: bearer(key) })).body.purchased_credits * 1e6),
    async stop() {
      await server.stop();
      await upstream.stop();
    },
  };
}

/** Makes a wave file of this length, in 16 bits at 8 kHz. */
export function wave(seconds: number): Uint8Array<ArrayBuffer> {
  const head = Buffer.alloc(44);
  head.write('RIFF\0\0\0\0WAVEfmt ', 'latin1');
  head.writeUInt32LE(16, 16);
  head.writeUInt16LE(1, 20);
  head.writeUInt16LE(1, 22);
  head.writeUInt32LE(8_000, 24);
  head.writeUInt32LE(16_000, 28);
  head.writeUInt16LE(2, 32);
  head.writeUInt16LE(16, 34);
  head.write('data', 36);
  return new Uint8Array(Buffer.concat([head, Buffer.alloc(Math.round(seconds * 16_000))]));
}

export const fileOf = (bytes: Uint8Array<ArrayBuffer>, name = 'speech.wav', type = 'audio/wav') =>
  new File([bytes], name, { type });

export function formOf(fields: Record<string, string | File | (string | File)[]>): FormData {
  const form = new FormData();
  for (const [name, value] of Object.entries(fields))
    for (const one of [value].flat()) form.append(name, one);
  return form;
}

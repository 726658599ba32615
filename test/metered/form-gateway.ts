import { type Answer, bearer, type Json } from '../support/call.ts';
import { purchasedCredit } from '../support/purchased-credit.ts';
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
const twoRoutes = (wire: string) => [
  { provider: `hidden-${wire}`, model: 'hidden-failing', weight: 2 },
  { provider: `hidden-${wire}-second`, model: 'hidden-healthy', weight: 1 },
];

export const USD_PER_SECOND = 0.0001;
const perSecond = { metered_usd: { per_second: USD_PER_SECOND } };
const perImage = {
  metered_usd: { per_image: [{ size: '1024x1024', quality: 'high', usd: 0.167 }, { usd: 0.25 }] },
};

const models = [
  model('transcription', 'openai-audio', { kind: 'transcription', ...perSecond }),
  model('transcription-by-tokens', 'openai-audio', {
    kind: 'transcription',
    pricing_usd_per_mtok: { input: 2.5, output: 10 },
    extras_usd: { audio_input: 6 },
  }),
  model('transcription-two-routes', 'openai-audio', {
    kind: 'transcription',
    ...perSecond,
    routes: twoRoutes('openai-audio'),
  }),
  model('transcription-without-temperature', 'openai-audio', {
    kind: 'transcription',
    ...perSecond,
    refuses: ['temperature'],
  }),
  model('edit', 'openai-images', { kind: 'image', ...perImage }),
  model('edit-two-routes', 'openai-images', {
    kind: 'image',
    ...perImage,
    routes: twoRoutes('openai-images'),
  }),
  model('chat', 'openai-chat', { context_window: 8_192, pricing_usd_per_mtok: { input: 1, output: 4 } }),
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
        ['', '-second'].map((suffix) => ({
          id: `hidden-${wire}${suffix}`,
          wire,
          base_url: upstream.url,
          api_key: 'key',
        })),
      ),
      catalog: { default: false, models },
      ...(options.config as Json),
    },
  });
  const send = (
    path: string,
    key: CreatedKey | undefined,
    body: FormData | Json,
    options: RequestInit = {},
  ) =>
    fetch(server.url + path, {
      method: 'POST',
      headers: key ? bearer(key.key) : {},
      body: body instanceof FormData ? body : JSON.stringify(body),
      ...options,
    });
  return {
    server,
    upstream,
    ...purchasedCredit(server),
    send,
    /** Sends a form, and returns the whole answer. */
    async call(key: CreatedKey, path: string, body: FormData | Json): Promise<Answer> {
      const response = await send(path, key, body);
      const text = await response.text();
      const isJson = response.headers.get('content-type')?.includes('json');
      const { status, headers } = response;
      return { status, headers, text, body: isJson ? JSON.parse(text) : undefined };
    },
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
    for (const item of [value].flat()) form.append(name, item);
  return form;
}

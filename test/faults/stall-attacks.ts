import { attacks } from '../../bench/strain/attacks.ts';
import type { StrainedGateway } from '../../bench/strain/start-strained-gateway.ts';
import { type StrainWire, strainWires } from '../../bench/strain/strain-models.ts';
import { keysOf } from '../../src/base/lib/records.ts';
import { type Answer, bearer, call } from '../support/call.ts';

/** A large request or answer. `run` returns a summary of the outcome. */
type StallAttack = { name: string; run(gateway: StrainedGateway): Promise<string> };

type InferenceCall = { path: string; body: object };

const summary = (status: number, bytes: number): string => `${status}, ${(bytes / 1e6).toFixed(1)} MB`;

/** Sends a request and reads its answer in pieces, so that this process stays free for the bystander. */
async function measureAnswer({ url, key }: StrainedGateway, { path, body }: InferenceCall): Promise<string> {
  const headers = { ...bearer(key), 'x-api-key': key };
  const answer = await fetch(url + path, { method: 'POST', headers, body: JSON.stringify(body) });
  let bytes = 0;
  for await (const piece of answer.body ?? []) bytes += piece.byteLength;
  return summary(answer.status, bytes);
}

const messages = [{ role: 'user', content: 'hi' }];
const dialects = {
  chat: (model: string): InferenceCall => ({ path: '/v1/chat/completions', body: { model, messages } }),
  messages: (model: string): InferenceCall => ({
    path: '/v1/messages',
    body: { model, messages, max_tokens: 9 },
  }),
  responses: (model: string): InferenceCall => ({ path: '/v1/responses', body: { model, input: 'hi' } }),
};

/** The upstream has no streams on the wire of Responses. */
const streamedWires = ['chat', 'messages'] as const;

const answerAttacks = (model: string, wires: readonly StrainWire[], fields: object = {}): StallAttack[] =>
  keysOf(dialects).flatMap((dialect) =>
    wires.map((wire) => {
      const { path, body } = dialects[dialect](model + strainWires[wire].suffix);
      return {
        name: `${model}, ${wire} to ${dialect}`,
        run: (gateway) => measureAnswer(gateway, { path, body: { ...body, ...fields } }),
      };
    }),
  );

/** Stores a turn with an input of 9.9 MB, continues it, and reads its input. */
async function storeAndContinue({ url, key }: StrainedGateway): Promise<string> {
  const ask = (path: string, fields?: object): Promise<Answer> => {
    const body = fields && { model: 'thinks', store: true, ...fields };
    return call(`${url}/v1/responses${path}`, { headers: bearer(key), body });
  };
  const first = await ask('', { input: 'Words of a question. '.repeat(9_900_000 / 21) });
  if (first.status !== 200) return `${first.status}: ${first.text}`;
  const { id } = first.body;
  const continued = await ask('', { input: 'Go on.', previous_response_id: id });
  const { text } = await ask(`/${id}/input_items?limit=1`);
  return summary(continued.status, Buffer.byteLength(text));
}

async function reload({ url, token }: StrainedGateway): Promise<string> {
  return String((await call(`${url}/admin/v1/reload`, { method: 'POST', headers: bearer(token) })).status);
}

/** The attacks of the benchmark whose requests or answers are large. */
const largeRequests = [
  'body of 9.9 MB',
  'body of 9.9 MB, translated',
  '10 MB of escapes',
  '10 MB of newlines',
  '10,000 messages',
  '10,000 messages, translated',
  '10,000 tools',
  '10,000 tools, translated',
  '490,000 values',
  '500 stalled readers',
] as const satisfies (keyof typeof attacks)[];

export const stallAttacks: readonly StallAttack[] = [
  ...largeRequests.map((name) => ({ name, run: attacks[name] })),
  { name: 'a turn of 9.9 MB stored and continued', run: storeAndContinue },
  { name: 'reload', run: reload },
  ...answerAttacks('whole-60', keysOf(strainWires)),
  ...answerAttacks('frame-10', streamedWires, { stream: true }),
];

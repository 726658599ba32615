import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { ChildProcesses } from '../../bench/child-processes.ts';
import { attacks } from '../../bench/strain/attacks.ts';
import { repeatPings } from '../../bench/strain/bystander.ts';
import { type StrainedGateway, startStrainedGateway } from '../../bench/strain/start-strained-gateway.ts';
import { type StrainWire, strainWires } from '../../bench/strain/strain-models.ts';
import { keysOf } from '../../src/base/lib/records.ts';

// How long large requests and answers keep everybody else waiting:
// `bun test/faults/stalls.ts [--only WORDS] [--longest-s 300]`. `cpu` is the most that the server's main
// thread worked without a look at its other work, `gap` the same on the clock, and `bystander` the slowest of
// another client's requests. Only `cpu` means something on a machine that is busy.

type Ask = { path: string; body: object };

async function ask({ url, key }: StrainedGateway, { path, body }: Ask): Promise<string> {
  const headers = { authorization: `Bearer ${key}`, 'x-api-key': key };
  const answer = await fetch(url + path, { method: 'POST', headers, body: JSON.stringify(body) });
  let length = 0;
  for await (const piece of answer.body ?? []) length += piece.byteLength;
  return `${answer.status}, ${(length / 1e6).toFixed(1)} MB`;
}

const messages = [{ role: 'user', content: 'hi' }];
const dialects = {
  chat: (model: string) => ({ path: '/v1/chat/completions', body: { model, messages } }),
  messages: (model: string) => ({ path: '/v1/messages', body: { model, messages, max_tokens: 9 } }),
  responses: (model: string) => ({ path: '/v1/responses', body: { model, input: 'hi' } }),
};

/** The upstream has no streams on the wire of Responses. */
const streamedWires = ['chat', 'messages'] as const;

const answered = (model: string, wires: readonly StrainWire[], fields: object = {}) =>
  keysOf(dialects).flatMap((dialect) =>
    wires.map((wire): [string, Ask] => {
      const { path, body } = dialects[dialect](model + strainWires[wire].suffix);
      return [`${model}, ${wire} to ${dialect}`, { path, body: { ...body, ...fields } }];
    }),
  );

/** A turn with an input of 9.9 MB is stored, and continued. */
async function storeAndContinue(gateway: StrainedGateway): Promise<string> {
  const { url, key } = gateway;
  const input = 'Words of a question. '.repeat(9_900_000 / 21);
  const headers = { authorization: `Bearer ${key}` };
  const send = (body: object) =>
    fetch(`${url}/v1/responses`, {
      method: 'POST',
      headers,
      body: JSON.stringify({ model: 'thinks', ...body }),
    });
  const stored = await send({ input, store: true });
  if (stored.status !== 200) return `${stored.status}: ${await stored.text()}`;
  const { id } = (await stored.json()) as { id: string };
  const continued = await send({ input: 'Go on.', previous_response_id: id, store: true });
  await continued.text();
  const read = await fetch(`${url}/v1/responses/${id}/input_items?limit=1`, { headers });
  return `${continued.status}, ${((await read.text()).length / 1e6).toFixed(1)} MB`;
}

async function reload({ url, token }: StrainedGateway): Promise<string> {
  const headers = { authorization: `Bearer ${token}` };
  return String((await fetch(`${url}/admin/v1/reload`, { method: 'POST', headers })).status);
}

const REQUESTS = /^(body of|10 MB of|10,000|490,000|500 stalled)/;

const all: [string, (gateway: StrainedGateway) => Promise<string>][] = [
  ...Object.entries(attacks).filter(([name]) => REQUESTS.test(name)),
  ['a turn of 9.9 MB stored and continued', storeAndContinue],
  ['reload', reload],
  ...[
    ...answered('whole-60', keysOf(strainWires)),
    ...answered('frame-10', streamedWires, { stream: true }),
  ].map(([name, asked]): (typeof all)[number] => [name, (gateway) => ask(gateway, asked)]),
];

const { values } = parseArgs({
  options: { only: { type: 'string', default: '' }, 'longest-s': { type: 'string', default: '300' } },
});
const children = new ChildProcesses();
const directory = mkdtempSync(join(tmpdir(), 'tollgate-stalls-'));
const deadline = performance.now() + Number(values['longest-s']) * 1_000;
try {
  const gateway = await startStrainedGateway({ children, directory });
  console.log('| attack                                   |    cpu |    gap | bystander | outcome');
  for (const [name, attack] of all) {
    if (!name.includes(values.only) || performance.now() > deadline) continue;
    await Bun.sleep(300);
    await gateway.strain();
    const stop = repeatPings(gateway);
    const outcome = await attack(gateway);
    const longestMs = Math.max(...(await stop()));
    const { stallCpuMs, stallMs } = await gateway.strain();
    const [cpu, gap, waited] = [stallCpuMs, stallMs, longestMs].map((ms) => ms.toFixed(0).padStart(6));
    console.log(`| ${name.padEnd(40)} | ${cpu} | ${gap} | ${waited?.padStart(9)} | ${outcome}`);
  }
} finally {
  await children.stopAll();
  rmSync(directory, { recursive: true, force: true });
}

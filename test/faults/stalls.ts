import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { ChildProcesses } from '../../bench/child-processes.ts';
import { attacks } from '../../bench/strain/attacks.ts';
import { bystand } from '../../bench/strain/run-strain.ts';
import { type StrainedGateway, startStrainedGateway } from '../../bench/strain/start-strained-gateway.ts';

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
const suffixes = { chat: '', messages: '-messages', responses: '-responses' };

type Speaker = keyof typeof dialects;
const speakers = Object.keys(dialects) as Speaker[];

const answered = (kind: string, fields: object = {}) =>
  speakers.flatMap((dialect) =>
    speakers
      .filter((wire) => kind === 'whole-60' || wire !== 'responses')
      .map((wire): [string, Ask] => {
        const { path, body } = dialects[dialect](kind + suffixes[wire]);
        return [`${kind}, ${wire} to ${dialect}`, { path, body: { ...body, ...fields } }];
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
  const { id } = (await (await send({ input, store: true })).json()) as { id: string };
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
  ...[...answered('whole-60'), ...answered('frame-10', { stream: true })].map(
    ([name, asked]): (typeof all)[number] => [name, (gateway) => ask(gateway, asked)],
  ),
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
    const stop = bystand(gateway);
    const outcome = await attack(gateway);
    const longestMs = await stop();
    const { stallCpuMs, stallMs } = await gateway.strain();
    const [cpu, gap, waited] = [stallCpuMs, stallMs, longestMs].map((ms) => ms.toFixed(0).padStart(6));
    console.log(`| ${name.padEnd(40)} | ${cpu} | ${gap} | ${waited?.padStart(9)} | ${outcome}`);
  }
} finally {
  await children.stopAll();
  rmSync(directory, { recursive: true, force: true });
}

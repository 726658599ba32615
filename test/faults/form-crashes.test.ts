import { afterEach, beforeEach, expect, test } from 'bun:test';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { MICROCREDITS_PER_USD } from '../../src/money/ledger/microcredits.ts';
import { fileOf, formOf, startFormGateway, wave } from '../metered/form-gateway.ts';
import { events, json } from '../metered/form-upstream.ts';
import type { Json } from '../support/call.ts';
import { isFull } from '../support/is-full.ts';
import { usageEntries } from '../support/ledger-entries.ts';
import type { CrashPoint } from './fault.ts';
import { faultOptions } from './fault-options.ts';
import { countHolds, findContradictions } from './read-ledger.ts';

let directory: string;
let gateway: Awaited<ReturnType<typeof startFormGateway>> | undefined;
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'form-crashes-'));
});
afterEach(async () => {
  await gateway?.stop();
  gateway = undefined;
  rmSync(directory, { recursive: true, force: true });
});

const CREDIT = 10 * MICROCREDITS_PER_USD;

async function start(point?: CrashPoint) {
  gateway = await startFormGateway({
    dataDirectory: join(directory, 'data'),
    ...faultOptions(point ? { crash: { point, passes: 1 } } : {}),
  });
  const image = { b64_json: 'aGk=' };
  gateway.upstream.answer(
    'hidden-transcription',
    json({ text: 'hi', usage: { type: 'duration', seconds: 100 } }),
  );
  const done = { type: 'image_edit.completed', ...image };
  gateway.upstream.answer('hidden-edit', events([{ type: 'image_edit.partial_image', ...image }, done]));
  return gateway;
}

const requests: Record<string, { form: () => Json; usd: number }> = {
  '/v1/audio/transcriptions': {
    form: () => ({ file: fileOf(wave(150)), model: 'transcription' }),
    usd: 0.01,
  },
  '/v1/images/edits': {
    form: () => ({ image: fileOf(wave(150), 'a.png'), model: 'edit', prompt: 'p', stream: 'true' }),
    usd: 0.25,
  },
};

const cases: [point: CrashPoint, path: string, entries: number][] = [
  ['after-hold', '/v1/images/edits', 0],
  ['before-settlement', '/v1/audio/transcriptions', 0],
  ['after-settlement', '/v1/audio/transcriptions', 1],
  ['after-settlement', '/v1/images/edits', 1],
];

/** The ordinary run has a kill before and one after the settlement. */
for (const [point, path, entries] of isFull ? cases : cases.slice(1, 3))
  test(`a kill ${point} of a form to ${path} leaves ${entries} entries and no hold, and a retry is billed once`, async () => {
    const { form, usd } = requests[path]!;
    const cost = Math.round(usd * MICROCREDITS_PER_USD);
    let of = await start();
    const key = await of.createPayer(CREDIT);
    await of.stop();
    of = await start(point);
    const broken = await of
      .send(path, key, formOf(form()))
      .then((answer) => answer.text())
      .catch(() => 'cut off');
    expect(broken).not.toContain('"text"');
    expect(broken).not.toContain('completed');
    await of.server.exited;
    await of.stop();
    of = await start();
    const billed = async () => [
      (await usageEntries(of.server, key.account)).length,
      CREDIT - (await of.purchasedLeft(key)),
    ];
    expect(await billed()).toEqual([entries, entries * cost]);
    const again = await of.call(key, path, formOf(form()));
    expect(again.status).toBe(200);
    expect(await billed()).toEqual([entries + 1, (entries + 1) * cost]);
    expect(await of.server.ledgerFaults()).toEqual([]);
    const data = join(directory, 'data');
    expect({ holds: countHolds(data), contradictions: findContradictions(data) }).toEqual({
      holds: 0,
      contradictions: [],
    });
  }, 120_000);

import { afterAll, expect, test } from 'bun:test';
import { answerWithUsage } from '../support/answer-with-usage.ts';
import { ledgerEntries } from '../support/ledger-entries.ts';
import { answerStatus, startRecordingUpstream } from '../support/recording-upstream.ts';
import { sampleModel } from '../support/sample-config.ts';
import { startServer } from '../support/start-server.ts';

const upstream = startRecordingUpstream();
const rates = (input: number, output: number) => ({ pricing_usd_per_mtok: { input, output } });
const comparability = { tier: 'own', delivery: 'optimized' };
const server = await startServer({
  config: {
    simulator: { mode: 'off' },
    providers: [{ id: 'hidden-openai-chat', wire: 'openai-chat', base_url: upstream.url }],
    catalog: {
      default: false,
      models: [
        sampleModel('ill', { ...comparability, ...rates(2, 8), comparable: ['cheap'] }),
        sampleModel('ill-too', { ...comparability, ...rates(2, 8), comparable: ['expensive'] }),
        sampleModel('cheap', { ...comparability, ...rates(1, 4) }),
        sampleModel('expensive', { ...comparability, ...rates(20, 80) }),
      ],
    },
  },
});
afterAll(async () => {
  await server.stop();
  await upstream.stop();
});
for (const model of ['ill', 'ill-too']) upstream.answer(`hidden-${model}`, answerStatus(500));
for (const model of ['cheap', 'expensive']) upstream.answer(`hidden-${model}`, answerWithUsage(1_000, 100));

test('a substitute costs its own rates but never more than the requested model [RES-15]', async () => {
  const key = await server.createKey('pro');
  for (const model of ['ill', 'ill-too']) {
    for (const stream of [false, true]) {
      const { status, text } = await server.chat(key.key, model, { stream });
      expect(status).toBe(200);
      expect(text).not.toContain('error');
    }
  }
  const entries = await ledgerEntries(server, key.account);
  const uncapped = { model: 'ill', served_model: 'cheap', microcredits: 1_000 * 500 + 100 * 2_000 };
  const capped = { model: 'ill-too', served_model: 'expensive', microcredits: 1_000 * 1_000 + 100 * 4_000 };
  expect(entries).toMatchObject([capped, capped, uncapped, uncapped]);
  expect(entries.map(({ receipt }) => receipt.rates_usd_per_mtok.output)).toEqual([8, 8, 4, 4]);
  const { outcome } = entries[0].receipt.tried.at(-1);
  expect(entries[0].receipt.attempts).toBeGreaterThan(1);
  expect(outcome).toBe('answered');
});

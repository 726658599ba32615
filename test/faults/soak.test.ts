import { expect, test } from 'bun:test';
import { isLong } from '../support/is-long.ts';
import { faults } from './soak/draw-request.ts';
import { runSoak } from './soak/run-soak.ts';
import { summarize } from './soak/summarize.ts';

const SEED = 20_261_121;
/** The number of replies. In the ordinary run it is large enough to draw every fault. */
const REPLIES = isLong ? 320 : 220;

test('charges each request once, as the upstream counted it, through failures, disconnects and a kill [CRD-03] [CRD-40] [CRD-45]', async () => {
  const report = await runSoak({
    seed: SEED,
    clients: 24,
    kills: 1,
    replies: REPLIES,
    longestMs: 60_000,
    killEveryMs: isLong ? 5_000 : 3_000,
  });
  const isWell = report.discrepancies.length + report.contradictions.length === 0;
  if (!isWell) console.error(summarize(report, SEED));
  expect(report.discrepancies.map(({ kind, reason }) => `${kind}: ${reason}`)).toEqual([]);
  expect(report.contradictions).toEqual([]);
  expect(report.sent.filter(({ ending }) => ending === 'complete').length).toBeGreaterThan(REPLIES / 2);
  expect(new Set(report.calls.map(({ fault }) => fault).filter(Boolean)).size).toBe(faults.length);
}, 120_000);

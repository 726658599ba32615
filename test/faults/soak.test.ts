import { expect, test } from 'bun:test';
import { faults } from './soak/draw-request.ts';
import { runSoak } from './soak/run-soak.ts';
import { summarize } from './soak/summarize.ts';

const SEED = 20_261_121;

test('whatever fails, leaves and is killed: each request is charged what the upstream counted for it, once [CRD-03] [CRD-40] [CRD-45]', async () => {
  const report = await runSoak({
    ...{ seed: SEED, clients: 24, kills: 1, replies: 320, killEveryMs: 5_000, longestMs: 60_000 },
  });
  const isWell = report.discrepancies.length + report.contradictions.length === 0;
  if (!isWell) console.error(summarize(report, SEED));
  expect(report.discrepancies.map(({ kind, reason }) => `${kind}: ${reason}`)).toEqual([]);
  expect(report.contradictions).toEqual([]);
  expect(report.sent.filter(({ ending }) => ending === 'complete').length).toBeGreaterThan(200);
  expect(new Set(report.calls.map(({ fault }) => fault).filter(Boolean)).size).toBe(faults.length);
}, 120_000);

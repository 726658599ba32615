import { expect, test } from 'bun:test';
import type { Budget } from './budget.ts';
import { binOf, countedFrom, firstBin, resetsAt } from './budget-window.ts';

const iso = (time: number | null): string | null => (time === null ? null : new Date(time).toISOString());
const at = Date.parse('2026-11-29T21:34:56.789Z'); // a Sunday

test('calendar windows begin in UTC, at fixed days and hours', () => {
  const windows: [Budget['window'], string, string][] = [
    ['hour', '2026-11-29T21:00:00.000Z', '2026-11-29T22:00:00.000Z'],
    ['5h', '2026-11-29T20:00:00.000Z', '2026-11-30T00:00:00.000Z'],
    ['day', '2026-11-29T00:00:00.000Z', '2026-11-30T00:00:00.000Z'],
    ['week', '2026-11-23T00:00:00.000Z', '2026-11-30T00:00:00.000Z'],
    ['month', '2026-11-01T00:00:00.000Z', '2026-12-01T00:00:00.000Z'],
  ];
  for (const [window, startsAt, endsAt] of windows) {
    const budget = { window, kind: 'calendar' } as const;
    const starts = { bin: binOf(budget, at), first: firstBin(budget, at), counted: countedFrom(budget, at) };
    for (const [what, time] of Object.entries(starts))
      expect({ window, what, time: iso(time) }).toEqual({ window, what, time: startsAt });
    expect(iso(resetsAt(budget, at, undefined))).toBe(endsAt);
  }
});

test('a sliding window counts an amount for its span and at most a sixtieth longer', () => {
  const spans = {
    hour: 3_600_000,
    '5h': 18_000_000,
    day: 86_400_000,
    week: 604_800_000,
    month: 2_592_000_000,
  };
  for (const [window, span] of Object.entries(spans)) {
    const budget = { window: window as Budget['window'], kind: 'sliding' } as const;
    for (let offset = 0; offset < span / 60; offset += span / 600) {
      const bin = binOf(budget, at + offset);
      const counts = (later: number) => firstBin(budget, at + offset + later) <= bin;
      const atEnd = counts(span);
      expect({ window, atEnd, later: counts(span + span / 60) }).toEqual({
        window,
        atEnd: true,
        later: false,
      });
      expect(resetsAt(budget, at + offset, bin)).toBeLessThanOrEqual(at + offset + span + span / 60);
    }
    expect(resetsAt(budget, at, undefined)).toBeNull();
  }
});

import { expect, test } from 'bun:test';
import { ISO_TIME, isoTime, parseIsoTime, parseTimeParameter } from './iso-time.ts';

const times: [text: string, time: string][] = [
  ['2026-02-28', '2026-02-28T00:00:00.000Z'],
  ['2024-02-29', '2024-02-29T00:00:00.000Z'],
  ['1970-01-01', '1970-01-01T00:00:00.000Z'],
  ['2026-01-31T10:00', '2026-01-31T10:00:00.000Z'],
  ['2026-01-31T10:00:59.5', '2026-01-31T10:00:59.500Z'],
  ['2026-01-31T23:59:59Z', '2026-01-31T23:59:59.000Z'],
  ['2026-03-01T00:30+02:00', '2026-02-28T22:30:00.000Z'],
  ['2025-12-31T23:00:00-05:30', '2026-01-01T04:30:00.000Z'],
];
for (const [text, time] of times) {
  test(`parses ${text} as ${time}`, () => {
    expect(isoTime(parseIsoTime(text)!)).toBe(time);
    expect(text).toMatch(new RegExp(ISO_TIME));
  });
}

const impossible = [
  '2026-02-30',
  '2026-02-29',
  '2026-04-31',
  '2026-13-01',
  '2026-00-10',
  '2026-01-00',
  '2026-01-32',
  '2026-02-30T00:00:00Z',
  '2026-04-31T10:00+02:00',
  '2026-02-29T23:59:59.999-11:00',
  '2026-01-01T24:00:00Z',
  '2026-01-01T25:00',
  '2026-01-01T00:60',
  '2026-01-01T00:00:60Z',
  '2026-01-01T00:00:00+99:99',
  '2026-01-01T00:00:00+00:60',
];
for (const text of impossible) {
  test(`rejects ${text}, which does not exist`, () => {
    expect(parseIsoTime(text)).toBeUndefined();
    expect(text).not.toMatch(new RegExp(ISO_TIME));
  });
}

for (const text of ['0050-01-15T00:00:00Z', '0000-01-01', '1969-12-31', '1970-01-01T00:00:00+00:01']) {
  test(`rejects ${text}, which is before 1970`, () => {
    expect(parseIsoTime(text)).toBeUndefined();
  });
}

test('the pattern accepts exactly the days that exist', () => {
  const pattern = new RegExp(ISO_TIME);
  const two = (number: number): string => String(number).padStart(2, '0');
  for (const year of [1970, 1972, 1999, 2000, 2024, 2026, 2100, 2400, 3600, 9996, 9999]) {
    for (let day = 0; day < 13 * 32; day++) {
      const text = `${year}-${two(Math.floor(day / 32))}-${two(day % 32)}`;
      expect({ text, matches: pattern.test(text) }).toEqual({
        text,
        matches: parseIsoTime(text) !== undefined,
      });
    }
  }
});

test('a parameter may have a plus sign that is not escaped', () => {
  expect(isoTime(parseTimeParameter('2026-03-01T00:30 02:00')!)).toBe('2026-02-28T22:30:00.000Z');
  for (const text of ['2026-03-01 02:00', '2026-03-01T00:30Zx', 'March 2026'])
    expect(parseTimeParameter(text)).toBeUndefined();
});

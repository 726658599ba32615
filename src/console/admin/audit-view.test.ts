import { expect, test } from 'bun:test';
import { auditView } from './audit-view.ts';

test('names are converted to the form of the API unless they have it', () => {
  const { before, after } = auditView({
    id: 'aud_1',
    at: 0,
    actor: 'admin',
    action: 'model-change',
    target: 'small',
    before: { monthlyCapUsd: 1, expiresAt: 0, cap80: true },
    after: { extras_usd: { cache_write_1h: 4 }, query: { 'X-Name': 'a' } },
    changes: 1,
  });
  expect(before).toEqual({ monthly_cap_usd: 1, expires_at: '1970-01-01T00:00:00.000Z', cap_80: true });
  expect(after).toEqual({ extras_usd: { cache_write_1h: 4 }, query: { 'X-Name': 'a' } });
});

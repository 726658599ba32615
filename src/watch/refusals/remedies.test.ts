import { expect, test } from 'bun:test';
import { catalogue, type ErrorCode } from '../../base/errors/catalogue.ts';
import { remedyFor, remedyHref } from './remedies.ts';

test('every refusal has a remedy with a page, which is the account if there is one', () => {
  for (const code of Object.keys(catalogue) as ErrorCode[]) {
    const remedy = remedyFor({ code, cause: code });
    expect(remedy.text).toEndWith('.');
    expect(remedyHref(remedy, { code, account: null })).toStartWith('/operator/');
  }
  const cap = remedyFor({ code: 'key_budget_exhausted', cause: 'key-cap-reached' });
  expect(remedyHref(cap, { code: 'key_budget_exhausted', account: 'acct_1' })).toBe(
    '/operator/accounts/acct_1',
  );
  const budget = remedyFor({ code: 'key_budget_exhausted', cause: 'budget-reached' });
  expect(remedyHref(budget, { code: 'key_budget_exhausted', account: 'acct_1' })).toBe(
    '/operator/budgets?account=acct_1',
  );
});

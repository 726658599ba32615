import { listOf } from '../routes/list.ts';
import { withTrimmedTexts } from '../routes/name-texts.ts';
import { accountChange, accountChangeOf, newAccount } from './account-bodies.ts';
import { accountsQuery, listAccounts, showAccount } from './account-calls.ts';
import { account } from './account-view.ts';
import { adminRouteWith } from './admin-route.ts';

const route = adminRouteWith<'accounts' | 'ledger' | 'shortfalls' | 'stored'>();

const group = 'Admin: accounts';
const PATH = '/admin/v1/accounts';

/** The routes for accounts. */
export const accountRoutes = [
  route(
    {
      method: 'POST',
      path: PATH,
      group,
      summary: 'Creates an account',
      body: newAccount,
      bodyExample: { name: 'Ada', email: 'ada@example.com', plan: 'starter' },
      status: 201,
      answer: account,
      returns: 'The account. It is active and its first cycle has started.',
    },
    async ({ body, actor, exchange }, parts) =>
      showAccount(parts, exchange, await parts.accounts.create(withTrimmedTexts(body), actor)),
  ),
  route(
    {
      method: 'GET',
      path: PATH,
      group,
      summary: 'Lists the accounts, oldest first',
      query: accountsQuery,
      answer: listOf(account),
      returns: 'A page of accounts.',
    },
    ({ query, exchange }, parts) => listAccounts(parts, exchange, query),
  ),
  route(
    {
      method: 'GET',
      path: `${PATH}/{id}`,
      group,
      summary: 'Shows an account',
      answer: account,
      returns: 'The account.',
      errors: ['not_found'],
    },
    async ({ params, exchange }, parts) => showAccount(parts, exchange, await parts.accounts.find(params.id)),
  ),
  route(
    {
      method: 'PATCH',
      path: `${PATH}/{id}`,
      group,
      summary: 'Changes an account; upgrades apply immediately, downgrades at the renewal',
      body: accountChange,
      bodyExample: { plan: 'pro' },
      answer: account,
      returns: 'The updated account.',
      errors: ['not_found', 'conflict', 'account_closed'],
    },
    async ({ params, body, actor, exchange }, parts) =>
      showAccount(parts, exchange, await parts.accounts.change(params.id, accountChangeOf(body), actor)),
  ),
  route(
    {
      method: 'POST',
      path: `${PATH}/{id}/shortfall/clear`,
      group,
      summary: 'Ends the stop of hosted tools of an account, and forgets the shortfalls that led to it',
      answer: account,
      returns: 'The account.',
      errors: ['not_found', 'conflict'],
    },
    async ({ params, actor, exchange }, parts) =>
      showAccount(parts, exchange, await parts.shortfalls.clear(params.id, actor)),
  ),
];

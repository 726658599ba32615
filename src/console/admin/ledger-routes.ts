import { usageQuery } from '../../api/usage/usage-query.ts';
import { usageFields, usageSchema, usageView } from '../../api/usage/usage-view.ts';
import { Refusal } from '../../base/errors/refusal.ts';
import { Type } from '../../base/schema/type.ts';
import { currentPeriod } from '../../money/ledger/current-period.ts';
import { entryIdOf } from '../../money/ledger/entry-id.ts';
import { verificationView } from '../../money/ledger/verification-view.ts';
import { verifyLedger } from '../../money/ledger/verify-ledger.ts';
import { accepted } from '../routes/accepted.ts';
import { listOf, listView } from '../routes/list.ts';
import { pageFields, pageOf, unknownAfter } from '../routes/page-fields.ts';
import { adminRouteWith } from './admin-route.ts';
import { entryView, ledgerEntry } from './entry-view.ts';
import { verification } from './verification-schemas.ts';

const route = adminRouteWith<'accounts' | 'clock' | 'ledger' | 'reportFaults'>();

const group = 'Admin: credits';
const ACCOUNT = '/admin/v1/accounts/{id}';

/** The routes for ledger entries, usage sums and verification. */
export const ledgerRoutes = [
  route(
    {
      method: 'GET',
      path: `${ACCOUNT}/ledger`,
      group,
      summary: "Lists an account's ledger, newest first",
      query: Type.Object(pageFields),
      answer: listOf(ledgerEntry),
      returns: 'A page of entries.',
      errors: ['not_found'],
    },
    async ({ params, query, exchange }, { accounts, ledger }) => {
      const account = accepted(await accounts.find(params.id));
      // A renewal that is due is entered first, so that the list has it.
      await currentPeriod(ledger, account, exchange.snapshot.plans);
      const page = await ledger.listEntries({ accountId: account.id, ...pageOf(query) });
      if (!page) throw unknownAfter('an entry of this account');
      return listView(page.items.map(entryView), page.hasMore);
    },
  ),
  route(
    {
      method: 'GET',
      path: `${ACCOUNT}/usage`,
      group,
      summary: "Sums an account's usage",
      query: Type.Object(usageFields("Default: the account's first entry.")),
      answer: Type.Object({
        object: Type.Literal('list'),
        data: Type.Array(usageSchema),
        has_more: Type.Boolean(),
      }),
      returns: 'A sum for each model, key or day.',
      errors: ['not_found'],
    },
    async ({ params, exchange }, { accounts, ledger, clock }) => {
      const { id: accountId } = accepted(await accounts.find(params.id));
      const question = accepted(usageQuery(exchange.query, { accountId, now: clock.now(), since: 0 }));
      const sums = await ledger.sumUsage(question);
      return {
        object: 'list' as const,
        data: sums.map((sum) => usageView(sum, question.by)),
        has_more: false,
      };
    },
  ),
  route(
    {
      method: 'GET',
      path: '/admin/v1/ledger/entries/{id}',
      group,
      summary: 'Shows a ledger entry, with the receipt of its request',
      answer: Type.Object(
        { account_id: Type.String(), ...ledgerEntry.properties },
        { title: 'Account Ledger Entry' },
      ),
      returns: 'The entry, by its id or by the id of its request.',
      errors: ['not_found'],
    },
    async ({ params }, { ledger }) => {
      const written = await ledger.findEntry(entryIdOf(params.id));
      if (!written) throw unknownEntry();
      return { account_id: written.accountId, ...entryView(written) };
    },
  ),
  route(
    {
      method: 'GET',
      path: '/admin/v1/ledger/verify',
      group,
      summary: 'Recomputes every balance, sum and hash from the entries',
      answer: verification,
      returns:
        'The number of verified accounts and entries, the inconsistencies, and whether all was verified.',
    },
    async (_, { ledger, reportFaults }) => {
      const verified = await verifyLedger(ledger);
      reportFaults(verified);
      return verificationView(verified);
    },
  ),
];

const unknownEntry = (): Refusal =>
  new Refusal('not_found', { message: 'No entry and no request has this id.' });

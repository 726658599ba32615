import { Refusal } from '../../base/errors/refusal.ts';
import { Type } from '../../base/schema/type.ts';
import { archiveLedger } from '../../money/ledger/archive-ledger.ts';
import { archiveView } from '../../money/ledger/archive-view.ts';
import { closedBefore } from '../../money/ledger/closed-before.ts';
import { closed } from '../routes/closed.ts';
import { adminRouteWith } from './admin-route.ts';

const route = adminRouteWith<'accounts' | 'clock' | 'ledger'>();

const count = Type.Integer();

/** The route that archives the ledger. Requests are served meanwhile. */
export const archiveRoutes = [
  route(
    {
      method: 'POST',
      path: '/admin/v1/ledger/archive',
      group: 'Admin: credits',
      summary: 'Verifies the ledger and moves entries of closed months into compressed files',
      body: Type.Object(
        {
          before: Type.String({
            pattern: '^\\d{4}-(0[1-9]|1[0-2])$',
            expected: 'a month such as 2026-10',
            description:
              'A month in UTC, for example 2026-10, at most the current one. Entries from before this month are moved.',
          }),
        },
        closed,
      ),
      bodyExample: { before: '2026-10' },
      answer: Type.Object(
        { before: Type.String(), entries: count, segments: count, bytes: count },
        { title: 'Ledger Archive' },
      ),
      returns: 'The number of moved entries, and the number and size of the new files.',
      errors: ['invalid_request', 'conflict'],
    },
    async ({ body, actor }, { accounts, ledger, clock }) => {
      const before = closedBefore(body.before, clock.now());
      if (before === undefined) throw notClosed();
      const outcome = await archiveLedger(ledger, before);
      if ('problem' in outcome) throw new Refusal('conflict', { message: outcome.problem });
      const view = archiveView(body.before, outcome);
      await accounts.record('ledger-archive', 'ledger', { before: null, after: view, actor });
      return view;
    },
  ),
];

const notClosed = (): Refusal =>
  new Refusal('invalid_request', {
    message: 'before must be a month such as 2026-10, and at most the current month.',
    param: 'before',
  });

import { Refusal } from '../../base/errors/refusal.ts';
import { Type } from '../../base/schema/type.ts';
import { accountVerificationView, repairView } from '../../money/ledger/verification-view.ts';
import { accepted } from '../routes/accepted.ts';
import { closed } from '../routes/closed.ts';
import { adminRouteWith } from './admin-route.ts';
import { inspection, repair } from './verification-schemas.ts';

const route = adminRouteWith<'accounts' | 'clock' | 'ledger'>();

const group = 'Admin: credits';
const LEDGER = '/admin/v1/accounts/{id}/ledger';

/** The routes that inspect and repair the ledger of a damaged account. */
export const repairRoutes = [
  route(
    {
      method: 'GET',
      path: `${LEDGER}/verify`,
      group,
      summary: "Verifies an account's balances and hashes against its entries, and shows its quarantine",
      answer: inspection,
      returns: 'The faults and the quarantine.',
      errors: ['not_found'],
    },
    async ({ params }, { accounts, ledger }) => {
      const { id } = accepted(await accounts.find(params.id));
      return accountVerificationView(id, await ledger.verifyAccount(id), await ledger.quarantineOf(id));
    },
  ),
  route(
    {
      method: 'POST',
      path: `${LEDGER}/repair`,
      group,
      summary:
        "Recomputes an account's balances from its entries, accepts damaged entries, and ends its quarantine",
      body: Type.Object(
        {
          keep_balances: Type.Optional(
            Type.Boolean({
              description:
                'Keeps the current balances by adding adjustments. Default: the balances are recomputed from the entries.',
            }),
          ),
        },
        closed,
      ),
      bodyExample: { keep_balances: true },
      answer: repair,
      returns: 'The faults that were corrected, and the adjustments that were added.',
      errors: ['not_found', 'conflict'],
    },
    async ({ params, body: { keep_balances: keepsBalances = false }, actor }, parts) => {
      const { accounts, ledger, clock } = parts;
      const { id } = accepted(await accounts.find(params.id));
      const repaired = await ledger.repairAccount({ accountId: id, keepsBalances, at: clock.now() });
      if (!repaired) throw stillUnderWay();
      const view = repairView(id, repaired);
      await accounts.record('ledger-repair', id, { before: null, after: view, actor });
      return view;
    },
  ),
  route(
    {
      method: 'POST',
      path: '/admin/v1/ledger/repair',
      group,
      summary: 'Accepts broken seals that belong to no account, and removes tampered holds',
      answer: Type.Object({ removed_holds: Type.Integer() }),
      returns: 'The number of tampered holds that were removed.',
    },
    async ({ actor }, { accounts, ledger }) => {
      const after = { removed_holds: (await ledger.repairStore()).removedHolds };
      await accounts.record('ledger-repair', 'store', { before: null, after, actor });
      return after;
    },
  ),
];

const stillUnderWay = (): Refusal =>
  new Refusal('conflict', {
    message:
      'Requests of this account are still in flight. No new requests start. Try again when they have ended.',
  });

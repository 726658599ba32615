import { Refusal } from '../../base/errors/refusal.ts';
import { jsonReply } from '../../edge/http/reply.ts';
import type { Route } from '../../edge/http/route.ts';
import { accountVerificationView, repairView } from '../../money/ledger/verification-view.ts';
import { type AdminDependencies, actorOf } from './admin-dependencies.ts';
import { repairBody } from './ledger-bodies.ts';
import { repairDescriptions as told } from './repair-descriptions.ts';

/** The routes that inspect and repair the ledger of a damaged account. */
export function repairRoutes({ accounts, ledger, clock, readBody }: AdminDependencies): Route[] {
  const inspect: Route['handle'] = async ({ params }) => {
    const account = await accounts.find(params.id!);
    if (account instanceof Refusal) return account;
    const verified = await ledger.verifyAccount(account.id);
    return jsonReply(
      200,
      accountVerificationView(account.id, verified, await ledger.quarantineOf(account.id)),
    );
  };

  const repair: Route['handle'] = async (exchange) => {
    const body = await repairBody(exchange, readBody);
    if (body instanceof Refusal) return body;
    const account = await accounts.find(exchange.params.id!);
    if (account instanceof Refusal) return account;
    const order = { accountId: account.id, keepsBalances: body.keep_balances ?? false, at: clock.now() };
    const repaired = await ledger.repairAccount(order);
    if (!repaired) return stillUnderWay();
    const view = repairView(account.id, repaired);
    await accounts.record('ledger-repair', account.id, {
      before: null,
      after: view,
      actor: actorOf(exchange),
    });
    return jsonReply(200, view);
  };

  const repairStore: Route['handle'] = async (exchange) => {
    const { removedHolds } = await ledger.repairStore();
    const after = { removed_holds: removedHolds };
    await accounts.record('ledger-repair', 'store', { before: null, after, actor: actorOf(exchange) });
    return jsonReply(200, after);
  };

  const ofAccount = '/admin/v1/accounts/{id}/ledger';
  return [
    { method: 'GET', path: `${ofAccount}/verify`, handle: inspect, describe: told.inspect },
    { method: 'POST', path: `${ofAccount}/repair`, handle: repair, describe: told.repair },
    { method: 'POST', path: '/admin/v1/ledger/repair', handle: repairStore, describe: told.repairStore },
  ];
}

const stillUnderWay = (): Refusal =>
  new Refusal('conflict', {
    message:
      'Requests of this account are still in flight. No new requests start. Try again when they have ended.',
  });

import { Refusal } from '../../base/errors/refusal.ts';
import type { Exchange } from '../../edge/http/exchange.ts';
import { jsonReply, type Reply } from '../../edge/http/reply.ts';
import type { Route } from '../../edge/http/route.ts';
import type { Account } from '../../money/accounts/account.ts';
import { refuseClosed } from '../../money/accounts/account-status.ts';
import { currentPeriod } from '../../money/ledger/current-period.ts';
import type { Entry } from '../../money/ledger/entry.ts';
import { microcreditsOfCredits, microcreditsOfUsd } from '../../money/ledger/microcredits.ts';
import { balanceOf, PURCHASED } from '../../money/ledger/period.ts';
import type { Config } from '../../settings/config/config-schema.ts';
import { type AdminDependencies, actorOf } from './admin-dependencies.ts';
import { entryIdOf } from './entry-id-of.ts';
import { adjustmentBody, grantBody, purchaseBody } from './ledger-bodies.ts';
import { ledgerDescriptions as told } from './ledger-descriptions.ts';
import { viewAccount } from './view-account.ts';

type Given = Pick<Entry, 'kind' | 'microcredits' | 'reason'> & { balance: 'monthly' | 'purchased' };

/** The routes for grants, purchases and adjustments. */
export function creditRoutes(dependencies: AdminDependencies): Route[] {
  const { readBody } = dependencies;

  const grant: Route['handle'] = async (exchange) => {
    const body = await grantBody(exchange, readBody);
    if (body instanceof Refusal) return body;
    const microcredits = microcreditsOfCredits(body.credits);
    const { reason = null } = body;
    return give(dependencies, exchange, { kind: 'grant', balance: 'monthly', microcredits, reason });
  };

  const purchase: Route['handle'] = async (exchange) => {
    const body = await purchaseBody(exchange, readBody);
    if (body instanceof Refusal) return body;
    const outside = boundOf(body.usd, exchange.snapshot.config.purchases);
    if (outside) return outside;
    const microcredits = microcreditsOfUsd(body.usd);
    return give(dependencies, exchange, {
      kind: 'purchase',
      balance: 'purchased',
      microcredits,
      reason: null,
    });
  };

  const adjust: Route['handle'] = async (exchange) => {
    const body = await adjustmentBody(exchange, readBody);
    if (body instanceof Refusal) return body;
    const { credits, ...rest } = body;
    const microcredits = microcreditsOfCredits(credits);
    return give(dependencies, exchange, { kind: 'adjustment', microcredits, ...rest });
  };

  const account = '/admin/v1/accounts/{id}';
  return [
    { method: 'POST', path: `${account}/grants`, handle: grant, describe: told.grant },
    { method: 'POST', path: `${account}/purchases`, handle: purchase, describe: told.purchase },
    { method: 'POST', path: `${account}/adjustments`, handle: adjust, describe: told.adjust },
  ];
}

async function give(
  { accounts, ledger, stored, clock }: AdminDependencies,
  exchange: Exchange,
  { balance, ...given }: Given,
): Promise<Reply | Refusal> {
  const account = await accounts.find(exchange.params.id!);
  if (account instanceof Refusal) return account;
  const closed = refusalFor(account, { balance, ...given });
  if (closed) return closed;
  const named = entryIdOf(exchange, account.id);
  if (named instanceof Refusal) return named;
  const { plans } = exchange.snapshot;
  const period = balance === 'purchased' ? PURCHASED : (await currentPeriod(ledger, account, plans)).id;
  const entry = {
    id: named.id,
    accountId: account.id,
    at: clock.now(),
    period,
    receipt: null,
    ...given,
  };
  const isAgain = named.isKeyed && (await ledger.findEntry(entry.id)) !== undefined;
  if (!isAgain && !(await ledger.give(entry))) return tooMuch(entry.microcredits);
  // A concurrent request with the same key can have been first.
  if (named.isKeyed && !isSame(await ledger.findEntry(entry.id), entry))
    return new Refusal('idempotency_conflict');
  if (!isAgain)
    await accounts.record(`credit-${given.kind}`, account.id, {
      ...auditOf(entry),
      actor: actorOf(exchange),
    });
  const view = await viewAccount({ ledger, stored }, account, plans);
  return jsonReply(201, view, isAgain ? { 'idempotency-replayed': 'true' } : undefined);
}

function refusalFor({ plan, status }: Account, { balance, kind }: Given): Refusal | undefined {
  if (status === 'closed' && kind !== 'adjustment') return refuseClosed();
  return balance === 'monthly' && plan === 'payg' ? nothingMonthly() : undefined;
}

const isSame = (written: Entry | undefined, { kind, microcredits, reason, period }: Entry): boolean =>
  written?.kind === kind &&
  written.microcredits === microcredits &&
  written.reason === reason &&
  balanceOf(written.period) === balanceOf(period);

function boundOf(usd: number, { min_usd, max_usd }: Config['purchases']): Refusal | undefined {
  if (usd >= min_usd && usd <= max_usd) return undefined;
  const bound = usd < min_usd ? `at least ${min_usd}` : `at most ${max_usd}`;
  return new Refusal('invalid_request', { message: `usd must be ${bound}, not ${usd}.`, param: 'usd' });
}

const auditOf = ({
  id,
  period,
  microcredits,
  reason,
}: Pick<Entry, 'id' | 'period' | 'microcredits' | 'reason'>) => ({
  before: null,
  after: { entry: id, period, microcredits, reason },
});

const nothingMonthly = (): Refusal =>
  new Refusal('conflict', { message: 'This plan has no monthly credits. Purchase credit instead.' });

const tooMuch = (microcredits: number): Refusal =>
  new Refusal('conflict', {
    message:
      microcredits < 0
        ? 'The available balance is too low. Open holds are not available.'
        : 'The balance would exceed the maximum of an account.',
    ...(microcredits < 0 && { param: 'credits' }),
  });

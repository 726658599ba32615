import { Refusal } from '../../base/errors/refusal.ts';
import type { Account } from '../../money/accounts/account.ts';
import type { AuditEntry } from '../../money/accounts/audit.ts';
import { refuseClosed } from '../../money/accounts/refuse-closed-account.ts';
import { currentPeriod } from '../../money/ledger/current-period.ts';
import type { Entry, EntryKind } from '../../money/ledger/entry.ts';
import { balanceOf, PURCHASED } from '../../money/ledger/period.ts';
import { accepted } from '../routes/accepted.ts';
import type { RouteShape, WithParams } from '../routes/typed-route.ts';
import { type AccountView, accountView } from './account-view.ts';
import type { AdminParts } from './admin-parts.ts';
import type { AdminCall } from './admin-route.ts';
import { newEntryId } from './new-entry-id.ts';

export type CreditParts = Pick<AdminParts, 'accounts' | 'clock' | 'ledger' | 'stored'>;

/** Credit that an operator gives, or takes if the amount is negative. */
export type GivenCredit = Pick<Entry, 'microcredits' | 'reason'> & {
  kind: Exclude<EntryKind, 'usage' | 'renewal'>;
  balance: 'monthly' | 'purchased';
};

type AccountCall = Pick<AdminCall<RouteShape>, 'exchange' | 'actor'> & WithParams<'id'>;

/** Writes the entry of a grant, a purchase or an adjustment, and shows the account with it. */
export async function giveCredit(
  parts: CreditParts,
  { exchange, params, actor }: AccountCall,
  { balance, ...given }: GivenCredit,
): Promise<AccountView> {
  const { accounts, ledger, clock } = parts;
  const account = accepted(await accounts.find(params.id));
  accepted(refuseCredit(account, { balance, ...given }));
  const { id, isKeyed } = newEntryId(exchange, account.id);
  const { plans } = exchange.snapshot;
  const period = balance === 'purchased' ? PURCHASED : (await currentPeriod(ledger, account, plans)).id;
  const entry = { id, accountId: account.id, at: clock.now(), period, receipt: null, ...given };
  const isReplay = isKeyed && (await ledger.findEntry(id)) !== undefined;
  const audit = auditOfCredit(entry, actor);
  if (!isReplay && !(await ledger.give(entry, { audit }))) throw tooMuch(entry.microcredits);
  // A concurrent request with the same key can have been first.
  if (isKeyed && !isSameEntry(await ledger.findEntry(id), entry)) throw new Refusal('idempotency_conflict');
  if (isReplay) exchange.headers['idempotency-replayed'] = 'true';
  return accountView(parts, account, plans);
}

type GivenEntry = Entry & Pick<GivenCredit, 'kind'>;

function auditOfCredit(
  { id, accountId, at, kind, period, microcredits, reason }: GivenEntry,
  actor: string,
): AuditEntry {
  const after = { entry: id, period, microcredits, reason };
  return { at, actor, action: `credit-${kind}`, target: accountId, before: null, after };
}

function refuseCredit({ plan, status }: Account, { balance, kind }: GivenCredit): Refusal | undefined {
  if (status === 'closed' && kind !== 'adjustment') return refuseClosed();
  return balance === 'monthly' && plan === 'payg' ? nothingMonthly() : undefined;
}

/** Reports whether the entry of an earlier request with the same key is the wanted one. */
const isSameEntry = (written: Entry | undefined, { kind, microcredits, reason, period }: Entry): boolean =>
  written?.kind === kind &&
  written.microcredits === microcredits &&
  written.reason === reason &&
  balanceOf(written.period) === balanceOf(period);

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

import { Refusal } from '../../base/errors/refusal.ts';
import { isoTime } from '../../base/lib/iso-time.ts';
import type { CreditLine, UsageLine } from '../../customers/billing/credit-line.ts';
import { listCreditChanges } from '../../customers/billing/list-credit-changes.ts';
import type { Account } from '../../money/accounts/account.ts';
import { currentPeriod } from '../../money/ledger/current-period.ts';
import type { WrittenEntry } from '../../money/ledger/entry.ts';
import { creditsOf } from '../../money/ledger/microcredits.ts';
import { balanceOf } from '../../money/ledger/period.ts';
import { accepted } from '../routes/accepted.ts';
import type { WithParams, WithQuery } from '../routes/typed-route.ts';
import type { DashboardParts } from './dashboard-parts.ts';
import type { OrganizationCall } from './dashboard-route.ts';
import type { EntriesView, EntryDetail, entriesQuery } from './entry-schema.ts';

/**
 * The bounds of a page: the entries that it reads, its lines, and the time of reading. A busy account has
 * many usage entries, which make one line, so most of its pages end by time.
 */
const PAGE_LIMIT = { entries: 50_000, lines: 50, ms: 150 };

/** Lists what changed the credit of an organization, newest first. */
export async function listEntries(
  { accountId, query: { after, purchased } }: OrganizationCall<WithQuery<typeof entriesQuery>>,
  parts: DashboardParts,
): Promise<EntriesView> {
  const account = accepted(await parts.accounts.find(accountId));
  const balance = await refreshedBalance(parts, account);
  const purchasedMicrocredits = purchased === undefined ? balance : Number(purchased);
  const query = { accountId, purchasedMicrocredits, after, limit: PAGE_LIMIT };
  const { lines, next } = await listCreditChanges(parts, query);
  return {
    data: lines.map(lineView),
    next: next && { after: next.after, purchased: String(next.purchasedMicrocredits) },
  };
}

/** Returns the balance of purchased credit after all due renewals. It is negative while there is a debt. */
async function refreshedBalance({ ledger, billing }: DashboardParts, account: Account): Promise<number> {
  // A renewal that is due is entered first, so that the list has it.
  const period = await currentPeriod(ledger, account, billing.parts.plans());
  return (await ledger.balances(account.id, period)).netPurchasedMicrocredits;
}

/** Shows one entry, with its place in the chain of the ledger. */
export async function showEntry(
  { accountId, params }: OrganizationCall<WithParams<'entry'>>,
  { ledger }: DashboardParts,
): Promise<EntryDetail> {
  const entry = await ledger.findEntry(params.entry);
  if (entry?.accountId !== accountId) throw noEntry();
  return {
    id: entry.id,
    at: isoTime(entry.at),
    kind: entry.kind,
    balance: balanceOf(entry.period),
    credits: creditsChange(entry),
    reason: entry.reason,
    sequence: entry.sequence,
    hash: entry.hash,
  };
}

const noEntry = (): Refusal =>
  new Refusal('not_found', { message: 'This organization has no entry with this id.' });

/** Shows a line with the purchased credit after it. A debt is a member of its own. */
const lineView = (line: CreditLine): EntriesView['data'][number] => ({
  ...(line.kind === 'usage' ? usageFields(line) : entryFields(line.entry)),
  purchased_credits_after: creditsOf(Math.max(0, line.purchasedMicrocredits)),
  debt_credits_after: creditsOf(Math.max(0, -line.purchasedMicrocredits)),
});

const usageFields = ({ kind, balance, from, to, requests, microcredits }: UsageLine) => ({
  id: null,
  kind,
  balance,
  from: isoTime(from),
  to: isoTime(to),
  requests,
  reason: null,
  credits: creditsChange({ kind, microcredits }),
});

const entryFields = ({ id, kind, at, period, microcredits, reason }: WrittenEntry) => ({
  id,
  kind,
  balance: balanceOf(period),
  from: isoTime(at),
  to: isoTime(at),
  requests: null,
  reason,
  credits: creditsChange({ kind, microcredits }),
});

/** Returns the credits that an entry added or took. Usage takes its amount. */
const creditsChange = ({ kind, microcredits }: Pick<WrittenEntry, 'kind' | 'microcredits'>): number =>
  creditsOf(kind === 'usage' ? -microcredits : microcredits);

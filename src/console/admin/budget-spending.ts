import { isoTimeOrNull } from '../../base/lib/iso-time.ts';
import { orNull } from '../../base/schema/or-null.ts';
import { time } from '../../base/schema/time-schema.ts';
import { Type } from '../../base/schema/type.ts';
import type { BudgetService } from '../../customers/budgets/budget-service.ts';
import type { Memberships } from '../../customers/people/memberships.ts';
import type { Accounts } from '../../money/accounts/accounts.ts';
import type { Budget } from '../../money/budgets/budget.ts';
import type { TargetSpend } from '../../money/budgets/budget-store.ts';
import { resetsAt } from '../../money/budgets/budget-window.ts';
import { usdOf } from '../../money/ledger/microcredits.ts';
import { accepted } from '../routes/accepted.ts';
import { listView } from '../routes/list.ts';
import { type PageQuery, pageOf, unknownAfter } from '../routes/page-fields.ts';
import type { ViewOf } from '../routes/typed-route.ts';

const usd = Type.Number();

/** The spend that counts against a budget for one target. */
export const spend = Type.Object(
  {
    id: Type.String({ description: 'The target, for `after`.' }),
    target: orNull(Type.String(), '`null` means the organization.'),
    target_name: orNull(Type.String()),
    spent_usd: usd,
    held_usd: usd,
    requests: Type.Integer(),
    resets_at: orNull(time),
  },
  { title: 'Budget Spend' },
);

export type BudgetSpendingParts = {
  budgets: BudgetService;
  accounts: Pick<Accounts, 'listKeys'>;
  memberships: Pick<Memberships, 'list'>;
};

/** The only target of an organization's budget has no text. Lists show this one as its id. */
const WHOLE_ID = 'organization';

/** Lists what counts against a budget, by target. */
export async function listSpending(parts: BudgetSpendingParts, budget: Budget, query: PageQuery) {
  const { budgets } = parts;
  const { limit, after: afterId } = pageOf(query);
  // An end user or a tag can have the same text as this id.
  const after = budget.scope === 'organization' && afterId === WHOLE_ID ? '' : afterId;
  const { items, hasMore, isUnknown, at } = await budgets.listSpending(budget, { limit, after });
  if (isUnknown) throw unknownAfter('a target that counts now');
  const names = items.length > 0 ? await namesOf(parts, budget) : new Map<string, string | null>();
  const views = items.map((spent) => spendView(budget, spent, { at, name: names.get(spent.target) ?? null }));
  return listView(views, hasMore);
}

const spendView = (
  budget: Budget,
  { target, usedMicrocredits, heldMicrocredits, requests, bin }: TargetSpend,
  { at, name }: { at: number; name: string | null },
): ViewOf<typeof spend> => ({
  id: target === '' ? WHOLE_ID : target,
  target: target === '' ? null : target,
  target_name: name,
  spent_usd: usdOf(usedMicrocredits),
  held_usd: usdOf(heldMicrocredits),
  requests,
  resets_at: isoTimeOrNull(resetsAt(budget, at, bin)),
});

/** Returns the names of the targets by their ids. Only keys and members have names. */
async function namesOf(
  parts: BudgetSpendingParts,
  { accountId, scope }: Budget,
): Promise<Map<string, string | null>> {
  if (scope === 'key') {
    const keys = accepted(await parts.accounts.listKeys(accountId));
    return new Map(keys.map(({ id, name }) => [id, name]));
  }
  if (scope !== 'member') return new Map();
  const members = await parts.memberships.list(accountId);
  return new Map(members.map(({ id, name, email }) => [id, name || email]));
}

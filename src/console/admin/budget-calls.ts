import type { Static } from 'typebox';
import { Refusal } from '../../base/errors/refusal.ts';
import { isoTimeOrNull } from '../../base/lib/iso-time.ts';
import { Type } from '../../base/schema/type.ts';
import type {
  BudgetActor,
  BudgetService,
  WantedBudget,
  WantedChange,
  WantedRaise,
} from '../../customers/budgets/budget-service.ts';
import type { PeopleServices } from '../../customers/people/create-people-services.ts';
import type { Accounts } from '../../money/accounts/accounts.ts';
import type { Budget, BudgetScope } from '../../money/budgets/budget.ts';
import type { TargetSpend } from '../../money/budgets/budget-store.ts';
import { resetsAt } from '../../money/budgets/budget-window.ts';
import { usdOf } from '../../money/ledger/microcredits.ts';
import { accepted } from '../routes/accepted.ts';
import { listView } from '../routes/list.ts';
import { pageOf, unknownAfter } from '../routes/page-fields.ts';
import { timeOfField } from '../routes/time-of-field.ts';
import type { ViewOf } from '../routes/typed-route.ts';
import {
  type BudgetView,
  type budgetChange,
  budgetFields,
  budgetView,
  type raiseBody,
  type spend,
} from './budget-view.ts';

const wantedBody = Type.Object(budgetFields);
type BudgetBody = Static<typeof wantedBody>;
const WARN_SHARE = 0.8;

/** The calls for budgets that both APIs share. */
export type BudgetCallParts = {
  budgets: BudgetService;
  accounts: Pick<Accounts, 'listKeys'>;
  memberships: Pick<PeopleServices['memberships'], 'list'>;
};

type Page = { limit?: number | undefined; after?: string | undefined };
type Filter = {
  accountId?: string | undefined;
  scope?: BudgetScope | undefined;
  target?: string | undefined;
};

/** Lists budgets and the caps of keys. */
export async function listBudgets({ budgets }: Pick<BudgetCallParts, 'budgets'>, filter: Filter, page: Page) {
  const { limit, after } = pageOf(page);
  const { items, hasMore } = await budgets.list({ ...filter, limit, after });
  if (after !== undefined && items.length === 0 && !(await isKnown(budgets, after)))
    return unknownAfter('a budget');
  const now = budgets.now();
  return listView(
    items.map((budget) => budgetView(budget, now)),
    hasMore,
  );
}

const isKnown = async (budgets: BudgetService, id: string): Promise<boolean> =>
  (await budgets.caps.find(id)) !== undefined || !((await budgets.find(id)) instanceof Refusal);

export async function showBudget(budgets: BudgetService, found: Budget | Refusal): Promise<BudgetView> {
  return budgetView(await budgets.counted(accepted(found)), budgets.now());
}

/** Shows a budget or a cap. */
export async function findBudget(budgets: BudgetService, id: string): Promise<BudgetView> {
  const cap = await budgets.caps.find(id);
  return cap ? budgetView(cap, budgets.now()) : showBudget(budgets, await budgets.find(id));
}

export const wantedBudget = ({
  name = null,
  target = null,
  kind = 'calendar',
  ...body
}: BudgetBody): WantedBudget => ({
  name: name === null ? null : name.trim(),
  scope: body.scope,
  target,
  window: body.window,
  kind,
  limitUsd: body.limit_usd,
  warnShare: body.warn_share === undefined ? WARN_SHARE : body.warn_share,
});

export const wantedChange = ({
  limit_usd,
  warn_share,
  name,
  ...body
}: Static<typeof budgetChange>): WantedChange => ({
  ...body,
  ...(name !== undefined && { name: name === null ? null : name.trim() }),
  ...(limit_usd !== undefined && { limitUsd: limit_usd }),
  ...(warn_share !== undefined && { warnShare: warn_share }),
});

export const wantedRaise = ({ add_usd, ends_at, reason = null }: Static<typeof raiseBody>): WantedRaise => ({
  addUsd: add_usd,
  endsAt: timeOfField(ends_at, 'ends_at'),
  reason,
});

export const operatorActor = (name: string): BudgetActor => ({ name, owner: 'operator' });

/** Lists what counts against a budget, by target. */
export async function listSpending(parts: BudgetCallParts, budget: Budget, page: Page) {
  const { budgets } = parts;
  const { limit, after } = pageOf(page);
  const { items, hasMore, isUnknown } = await budgets.listSpending(budget, {
    limit,
    after: after === WHOLE_ID ? '' : after,
  });
  if (isUnknown) return unknownAfter('a target that counts now');
  const names = items.length > 0 ? await namesOf(parts, budget) : new Map<string, string | null>();
  const now = budgets.now();
  return listView(
    items.map((spent) => spendView(budget, spent, { now, name: names.get(spent.target) ?? null })),
    hasMore,
  );
}

/** The only target of an organization's budget has no text. */
const WHOLE_ID = 'organization';

const spendView = (
  budget: Budget,
  { target, usedMicrocredits, heldMicrocredits, requests, bin }: TargetSpend,
  { now, name }: { now: number; name: string | null },
): ViewOf<typeof spend> => ({
  id: target === '' ? WHOLE_ID : target,
  target: target === '' ? null : target,
  target_name: name,
  spent_usd: usdOf(usedMicrocredits),
  held_usd: usdOf(heldMicrocredits),
  requests,
  resets_at: isoTimeOrNull(resetsAt(budget, now, bin)),
});

/** Returns the names of keys and members. */
async function namesOf(
  parts: BudgetCallParts,
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

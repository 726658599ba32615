import type { PageOfSpending, TargetSpend } from '../money/budgets/budget-store.ts';

type Spent = Omit<TargetSpend, 'heldMicrocredits'>;
type SpendingPageOptions = { limit: number; after?: string | undefined; bin: number };

/**
 * Joins the amounts that targets have spent and hold, the largest first.
 * `bin` is the bin of a target that only holds an amount.
 */
export function pageOfSpending(
  spent: readonly Spent[],
  held: ReadonlyMap<string, number>,
  { limit, after, bin }: SpendingPageOptions,
): PageOfSpending {
  const rows = new Map<string, TargetSpend>();
  for (const spending of spent) {
    const { target } = spending;
    rows.set(target, { ...spending, heldMicrocredits: held.get(target) ?? 0 });
  }
  for (const [target, heldMicrocredits] of held)
    if (!rows.has(target))
      rows.set(target, { target, usedMicrocredits: 0, heldMicrocredits, requests: 0, bin });
  const sorted = [...rows.values()].sort(
    (one, other) => amountOf(other) - amountOf(one) || (one.target < other.target ? -1 : 1),
  );
  const start = after === undefined ? 0 : sorted.findIndex(({ target }) => target === after) + 1;
  const isUnknown = after !== undefined && start === 0;
  const items = isUnknown ? [] : sorted.slice(start, start + limit);
  return { items, hasMore: !isUnknown && start + items.length < sorted.length, isUnknown };
}

const amountOf = ({ usedMicrocredits, heldMicrocredits }: TargetSpend): number =>
  usedMicrocredits + heldMicrocredits;

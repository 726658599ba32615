import type { Hold } from './hold.ts';
import type { Bound } from './shortfall.ts';

/** The charged part of a cost. */
export type Charge = {
  microcredits: number;
  /** The part that counts in the key's month. */
  keyMicrocredits: number;
  /** The limit that reduced the charge below the cost. `null` means that the whole cost is charged. */
  bound: Bound | null;
};

/** The amounts that a request has used. */
export type SpentAmounts = Pick<Charge, 'microcredits' | 'keyMicrocredits'> & { tokens: number };

/**
 * The limits of a charge: the balance that pays it, the rest of the cap of the key, and what budgets allow.
 */
type ChargeLimits = {
  balance: { granted: number; used: number; held: number };
  leftOfCap: number;
  allowedByBudgets: number;
};

/**
 * Returns the part of a cost that can be charged. A charge never exceeds purchased credit, even if the
 * estimate was wrong. With purchased credit it also never exceeds the key's cap, nor the budgets.
 * Monthly credits pay the whole cost, and only the key's month stops at the cap.
 * No sum exceeds the largest safe integer.
 */
export function chargeWithin(
  { order, microcredits: held }: Hold,
  cost: number,
  { balance, leftOfCap, allowedByBudgets }: ChargeLimits,
): Charge {
  // A raised cap can have admitted other requests, whose holds exceed the cap of this one.
  const capped = order.keyCapMicrocredits === null ? cost : within(cost, Math.max(held, leftOfCap + held));
  if (order.pays === 'monthly') {
    const countable = within(cost, Number.MAX_SAFE_INTEGER - balance.used);
    return { microcredits: countable, keyMicrocredits: Math.min(capped, countable), bound: null };
  }
  // In debt, a request can still spend what it holds. The rest of its hold pays the debt.
  const paid = within(cost, Math.max(held, balance.granted - balance.used - balance.held + held));
  const charged = Math.min(capped, paid, allowedByBudgets);
  const bound = charged === cost ? null : boundOf({ capped, paid, allowedByBudgets });
  return { microcredits: charged, keyMicrocredits: charged, bound };
}

/** The cost as each limit reduces it. */
type Reduced = { capped: number; paid: number; allowedByBudgets: number };

/** Returns the limit that reduced a charge the most. */
function boundOf({ capped, paid, allowedByBudgets }: Reduced): Bound {
  if (allowedByBudgets < capped && allowedByBudgets < paid) return 'budget';
  return capped < paid ? 'key-cap' : 'purchased-balance';
}

const within = (cost: number, limit: number): number => Math.max(0, Math.min(cost, limit));

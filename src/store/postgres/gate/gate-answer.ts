import type { ShortageKind } from '../../../money/ledger/hold.ts';
import type { LimitFaultKind } from '../../../money/limits/limit-fault.ts';
import type { BudgetStateRow, CounterRow } from '../budgets/budget-state-rows.ts';
import type { ScopeTotals } from './limit-mirror.ts';

/** The decision on one operation: its name, then an amount, a fault or a shortage. */
export type GateVerdict =
  | ['ok', amount: number, budgets?: readonly CounterRow[] | null]
  | ['stale']
  | ['short', kind: ShortageKind, used: number, granted: number, budgets?: readonly BudgetStateRow[]]
  | ['limited', kind: LimitFaultKind, waitMs: number];

/** The decisions of a call, and the state after it. The lists have the order of the lists of the call. */
export type GateReport = {
  /** The time of the database. */
  now: number;
  /** The verdict on each operation. */
  a: GateVerdict[];
  /** The totals of each scope. */
  s: ScopeTotals[];
  /** Each balance. */
  b: [granted: number, used: number, held: number][];
  /** The used amount of each key's month. */
  m: number[];
};

/**
 * The answer of `gate()`. `closed`: another node has closed this one, and has given back what it took. `era`:
 * this node must first write back what it took, since the database has lost its windows.
 */
export type GateCallAnswer = GateReport | { closed: true } | { era: true };

import type { SpendLabels } from './spend-labels.ts';

/** The parts of an account whose spend a budget can count. */
export const budgetScopes = ['organization', 'key', 'member', 'end_user', 'tag'] as const;
export const budgetWindows = ['hour', '5h', 'day', 'week', 'month'] as const;
/** `calendar`: windows begin at fixed times. `sliding`: a window is the time up to now. */
export const budgetKinds = ['calendar', 'sliding'] as const;

export type BudgetScope = (typeof budgetScopes)[number];
export type BudgetWindow = (typeof budgetWindows)[number];
export type BudgetKind = (typeof budgetKinds)[number];

/** An amount that adds to the limit until a time. */
export type Raise = { addMicrocredits: number; endsAt: number; reason: string | null; by: string };

/** The spend that a budget counts. */
export type BudgetRule = {
  accountId: string;
  scope: BudgetScope;
  /** `null` means every target of the account by itself. */
  target: string | null;
  window: BudgetWindow;
  kind: BudgetKind;
  /** The name of its counters. Another window or target gets new counters. */
  counter: string;
  /** The counters have the charges from this time on. */
  countsFrom: number;
};

/** A limit for what an account, or a part of it, can spend in a window of time. */
export type Budget = BudgetRule & {
  id: string;
  name: string | null;
  limitMicrocredits: number;
  /** The share of the limit at which a warning is sent. `null` means no warning. */
  warnShare: number | null;
  raise: Raise | null;
  /** The role whose members may change the budget. */
  owner: 'operator' | 'organization';
  createdAt: number;
  /** Incremented by every change. */
  revision: number;
};

/** Returns the limit at a time, with a raise that has not ended. */
export const limitAt = ({ limitMicrocredits, raise }: Budget, now: number): number =>
  limitMicrocredits + (raise && raise.endsAt > now ? raise.addMicrocredits : 0);

/** The target of the one counter of an organization's budget. */
const WHOLE = '';

/** The key of a request, and its labels. */
export type Spender = { keyId: string; labels?: SpendLabels | undefined };

const targets: Readonly<Record<BudgetScope, (spender: Spender) => readonly (string | null | undefined)[]>> = {
  organization: () => [WHOLE],
  key: ({ keyId }) => [keyId],
  member: ({ labels }) => [labels?.personId],
  end_user: ({ labels }) => [labels?.endUser],
  tag: ({ labels }) => labels?.tags ?? [],
};

/** Returns the targets of a budget that a request counts for. */
export const targetsOf = ({ scope, target }: BudgetRule, spender: Spender): string[] =>
  targets[scope](spender).filter(
    (label): label is string => typeof label === 'string' && (target === null || label === target),
  );

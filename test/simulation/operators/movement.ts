import type { AccountName } from '../gateway/accounts.ts';
import type { CallRecord } from '../network/call.ts';

/**
 * A change of a balance that was asked for. Its amount differs from those of all others, so that its entries
 * can be found.
 */
export type Movement = {
  readonly account: AccountName;
  readonly kind: 'grant' | 'purchase' | 'adjustment';
  readonly balance: 'monthly' | 'purchased';
  readonly microcredits: number;
  /** The account can owe it, since a payment was taken back. */
  readonly mayOwe: boolean;
  readonly sentAt: number;
  /** The time of the first answer that confirms it. */
  confirmedAt: number | undefined;
  /** Stripe's message about it was taken, and its entry follows. */
  isOwed: boolean;
  /** It was refused. */
  isRefused: boolean;
};

/** A limit that operators change. The first one of an account is that of its making. */
export type LimitChange = {
  readonly microcredits: number;
  readonly sentAt: number;
  /** Undefined if no answer has confirmed it. */
  answeredAt: number | undefined;
};

/** A span of time in which a limit was certainly this one. */
export type SteadyLimit = { microcredits: number; from: number; until: number };

/** Returns the spans in which no change of a limit was under way. */
export function steadyLimits(changes: readonly LimitChange[]): SteadyLimit[] {
  return changes.flatMap(({ microcredits, answeredAt }, index) => {
    if (answeredAt === undefined) return [];
    return [
      { microcredits, from: answeredAt, until: changes[index + 1]?.sentAt ?? Number.POSITIVE_INFINITY },
    ];
  });
}

/** Returns the highest limit that was possible in a span of time. */
export const highestLimit = (changes: readonly LimitChange[], from: number, until: number): number => {
  const latest = changes.findLastIndex(({ answeredAt }) => answeredAt !== undefined && answeredAt <= from);
  const possible = changes.slice(Math.max(0, latest)).filter(({ sentAt }) => sentAt <= until);
  return Math.max(...possible.map(({ microcredits }) => microcredits));
};

/** Reports whether an answer came whole, and is not the end of a fault. */
export const isDecided = ({ status, ending }: CallRecord): boolean =>
  ending === 'whole' && status !== undefined && status < 500;

import type { AccountName } from '../gateway/accounts.ts';

/** A requested change of a balance. Its amount differs from all others, so that its entry can be found. */
export type Movement = {
  readonly account: AccountName;
  readonly kind: 'grant' | 'purchase' | 'adjustment';
  readonly balance: 'monthly' | 'purchased';
  readonly microcredits: number;
  /** True if the account can owe the amount, since a payment was taken back. */
  readonly mayOwe: boolean;
  readonly sentAt: number;
  /** The time of the first answer that confirms it. */
  confirmedAt: number | undefined;
  /** True if Stripe's message about it was taken. The entry follows. */
  isOwed: boolean;
  isRefused: boolean;
};

/** The members by which the entry of a movement is found. */
export type MovementOrder = Pick<Movement, 'account' | 'kind' | 'balance' | 'microcredits'>;

/** Makes a movement that no answer has confirmed. */
export const newMovement = (order: MovementOrder, sentAt: number, { mayOwe = false } = {}): Movement => ({
  ...order,
  mayOwe,
  sentAt,
  confirmedAt: undefined,
  isOwed: false,
  isRefused: false,
});

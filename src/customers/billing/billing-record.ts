import type { PlanId } from '../../settings/plans/plan.ts';

/** The subscription and the saved payment method of an account at the payment service. */
export type CustomerBody = {
  subscriptionId: string | null;
  /** The state of the subscription, in the words of the payment service. */
  status: string | null;
  /** The plan that the subscription has set. */
  plan: PlanId | null;
  /** The start of the latest known paid period, in milliseconds. */
  periodStart: number | null;
  /** The time until which a failed renewal is tolerated. */
  graceUntil: number | null;
  /** The account is suspended because of a failed renewal. */
  isSuspended: boolean;
  /** Undefined in records of earlier versions. */
  deferred?: DeferredPlan | null;
};

/** A more expensive plan that the subscription has already, and that the account gets at the renewal. */
export type DeferredPlan = { plan: PlanId; until: number };

/** A message of the payment service. It is processed from the store, so a restart loses none. */
export type EventBody = {
  type: string;
  objectId: string;
  attempts: number;
  outcome: 'waiting' | 'done' | 'ignored' | 'failed';
  error: string | null;
};

/** A checkout that has been started. It is looked at even if no message arrives. */
export type CheckoutBody = { attempts: number; outcome: 'open' | 'complete' | 'expired' };

/** The reloads of an account: its automatic purchases of credit, and what they have cost in the month. */
export type ReloadBody = {
  isOn: boolean;
  thresholdCredits: number;
  amountCents: number;
  ceilingCents: number;
  /** The calendar month (`2026-11`) of `spentCents`, which includes a reload that is under way. */
  month: string;
  spentCents: number;
  /** The reload that is under way. */
  attempt: ReloadAttempt | null;
  /** The reloads that have failed in a row. */
  failures: number;
  error: string | null;
};
export type ReloadAttempt = { id: string; cents: number; at: number };
/** A reload that is under way, and the account that it is for. */
export type StartedReload = { accountId: string; attempt: ReloadAttempt };

/** A mail address that a link was sent to. `hash` is the hash of the link's token. */
export type PendingAddress = { address: string; hash: string; sentAt: number; expiresAt: number };

/** The addresses at which an organization receives its own alerts. */
export type ReceiverBody = {
  addresses: string[];
  /**
   * The addresses that agreed. Undefined if the record is older than the question. All of them then count.
   */
  confirmed?: string[];
  pending?: PendingAddress[];
  webhookUrl: string | null;
  secret: string | null;
  /** The shares of credits left, in percent, at which an alert is sent. */
  lowPercents: number[];
  caps: boolean;
};

/** A refund or dispute of a payment. `isOver` is true if the money is back. */
export type ReversedObject = { step: 'refund' | 'dispute'; cents: number; isOver: boolean };

/**
 * The amounts that were taken back of a payment. Each taking is an entry of the ledger. A negative taking
 * returns credit.
 */
export type ReversalBody = {
  /** The objects by their id at the payment service. */
  objects: Readonly<Record<string, ReversedObject>>;
  /** The micro-credits that entries of earlier versions have taken. */
  takenBefore: number;
  takings: readonly { objectId: string; microcredits: number }[];
};

export type BillingBodies = {
  customer: CustomerBody;
  event: EventBody;
  checkout: CheckoutBody;
  reload: ReloadBody;
  receiver: ReceiverBody;
  reversal: ReversalBody;
};
export type BillingKind = keyof BillingBodies;

/**
 * One record of billing. The id of a customer, a reload or a receiver is the id of the account. The id of a
 * reversal is the id of the payment.
 */
export type BillingRecord<Kind extends BillingKind = BillingKind> = {
  kind: Kind;
  id: string;
  accountId: string | null;
  /** Another id by which the record is found. A customer has the id at the payment service here. */
  reference: string | null;
  /** The time at which a worker looks at the record. `null` means never. */
  dueAt: number | null;
  createdAt: number;
  /** Incremented by every save. A writer that read an older version is refused. */
  version: number;
  body: BillingBodies[Kind];
};

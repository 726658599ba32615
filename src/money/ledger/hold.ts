import type { Period } from './period.ts';

/** What a request asks of the ledger before it is sent anywhere. */
export type HoldOrder = {
  requestId: string;
  accountId: string;
  keyId: string;
  pays: 'monthly' | 'purchased';
  period: Period;
  /** What the key may spend in the calendar month; null: whatever the account can. */
  keyCapMicrocredits: number | null;
  /**
   * What it may cost, where that has to be held: purchased credit and capped keys. As much is held as there is up to `most`; less than
   * `least` is a shortage.
   */
  worst: { least: number; most: number } | null;
  /** Of plans that give so many and pay for this request; null: as many as it has credits for. */
  tokensPerDay: number | null;
  at: number;
};

/** A request that may go on. `microcredits` stay set apart for it until it is posted or voided. */
export type Hold = { order: HoldOrder; microcredits: number };

export type ShortageKind =
  | 'period-used-up'
  | 'day-used-up'
  | 'nothing-purchased'
  | 'purchased-too-little'
  | 'key-cap-reached';

/** Why a request may not go on, and what the period stands at. */
export type Shortage = { shortage: ShortageKind; usedMicrocredits: number; givenMicrocredits: number | null };

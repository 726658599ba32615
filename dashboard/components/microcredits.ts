const MICROCREDITS_PER_CREDIT = 1_000_000;
/** A credit is 0.002 USD. */
export const CREDITS_PER_USD = 500;

export const microcreditsToCredits = (microcredits: number): number => microcredits / MICROCREDITS_PER_CREDIT;

export const microcreditsToUsd = (microcredits: number): number =>
  microcredits / (MICROCREDITS_PER_CREDIT * CREDITS_PER_USD);

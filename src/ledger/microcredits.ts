/** Money is whole micro-credits: the largest account imaginable (10 million USD are 5·10¹⁵) is still a safe integer. */
export const MICROCREDITS_PER_CREDIT = 1_000_000;

/** A credit is 0.002 USD. */
const MICROCREDITS_PER_USD = 500 * MICROCREDITS_PER_CREDIT;

export const microcreditsOfCredits = (credits: number): number =>
  Math.round(credits * MICROCREDITS_PER_CREDIT);

export const microcreditsOfUsd = (usd: number): number => Math.round(usd * MICROCREDITS_PER_USD);

export const usdOf = (microcredits: number): number => microcredits / MICROCREDITS_PER_USD;

export const creditsOf = (microcredits: number): number => microcredits / MICROCREDITS_PER_CREDIT;

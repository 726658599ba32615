import { MAX_CREDITS, MAX_USD } from '../../settings/plans/amounts.ts';

/** Money is whole micro-credits. Even an account of 10 million USD (5·10¹⁵) is a safe integer. */
const MICROCREDITS_PER_CREDIT = 1_000_000;

/** A credit is 0.002 USD. */
export const MICROCREDITS_PER_USD = 500 * MICROCREDITS_PER_CREDIT;

export const microcreditsOfCredits = (credits: number): number =>
  Math.round(credits * MICROCREDITS_PER_CREDIT);

export const microcreditsOfUsd = (usd: number): number => Math.round(usd * MICROCREDITS_PER_USD);

/** Limits the credits of a plan, since older records can have larger figures. */
export const limitOfCredits = (credits: number): number =>
  microcreditsOfCredits(Math.min(credits, MAX_CREDITS));

/** Limits the cap of a key, since older records can have larger figures. */
export const capOfUsd = (usd: number): number => microcreditsOfUsd(Math.min(usd, MAX_USD));

/** The most that a plan can give. */
export const MAX_LIMIT = microcreditsOfCredits(MAX_CREDITS);

export const usdOf = (microcredits: number): number => microcredits / MICROCREDITS_PER_USD;

export const creditsOf = (microcredits: number): number => microcredits / MICROCREDITS_PER_CREDIT;

import { MICROCREDITS_PER_USD } from './microcredits.ts';

const CENTS_PER_USD = 100;

export const centsOfUsd = (usd: number): number => Math.round(usd * CENTS_PER_USD);
export const usdOfCents = (cents: number): number => cents / CENTS_PER_USD;

/** Returns the micro-credits of whole cents, exactly. */
export const microcreditsOfCents = (cents: number): number => cents * (MICROCREDITS_PER_USD / CENTS_PER_USD);

import { formatCredits, formatUsd } from './format.ts';

const MICROCREDITS_PER_CREDIT = 1_000_000;
/** A credit is 0.002 USD. */
export const CREDITS_PER_USD = 500;

const microcreditsToCredits = (microcredits: number): number => microcredits / MICROCREDITS_PER_CREDIT;

export const creditsToUsd = (credits: number): number => credits / CREDITS_PER_USD;

export const microcreditsToUsd = (microcredits: number): number =>
  microcredits / (MICROCREDITS_PER_CREDIT * CREDITS_PER_USD);

/** Formats an amount of microcredits as credits. */
export const formatMicrocredits = (microcredits: number | null): string =>
  formatCredits(microcredits === null ? null : microcreditsToCredits(microcredits));

/** Formats an amount of microcredits as US dollars. */
export const formatMicrocreditsInUsd = (microcredits: number | null): string =>
  formatUsd(microcredits === null ? null : microcreditsToUsd(microcredits));

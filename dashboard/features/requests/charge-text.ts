import { formatPrice } from '../../components/format.ts';
import { microcreditsToUsd } from '../../components/microcredits.ts';

/** Formats a part of a charge in US dollars, with all its digits. */
export const chargeText = (microcredits: number): string => formatPrice(microcreditsToUsd(microcredits));

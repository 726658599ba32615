import type { ReceiverBody } from './billing-record.ts';

/** Compares two mail addresses and ignores the case of letters. */
export const isSameAddress = (left: string, right: string): boolean =>
  left.toLowerCase() === right.toLowerCase();

/** Reports whether a list has an address, in any case of letters. */
export const includesAddress = (addresses: readonly string[], address: string): boolean =>
  addresses.some((listed) => isSameAddress(listed, address));

/**
 * Returns the confirmed addresses. Addresses without a list of confirmed ones were in use before addresses
 * had to be confirmed.
 */
export const confirmedAddresses = ({ addresses, confirmed }: ReceiverBody): string[] =>
  confirmed === undefined ? addresses : addresses.filter((address) => includesAddress(confirmed, address));

import type { Exchange } from '../../edge/http/exchange.ts';

/**
 * Reports whether the sign-in page shows the field for the admin token. If operators have a listener of their
 * own, only its page does.
 */
export const hasTokenField = ({ listener }: Exchange): boolean => listener !== 'public';

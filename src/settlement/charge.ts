import type { Usage } from '../canonical/usage.ts';
import type { Exchange } from '../http/exchange.ts';

/** What an answered request has used. `usage` undefined: the upstream did not say. */
export type Charge = { exchange: Exchange; usage: Usage | undefined };

/** Makes a charge final. An answer's last byte leaves only when this has returned. */
export type Settle = (charge: Charge) => void | Promise<void>;

import type { JsonBody } from '../../base/json/json-body.ts';
import type { Exchange } from '../../edge/http/exchange.ts';
import type { Principal } from '../../money/auth/principal.ts';
import type { Unattended } from './unattended.ts';

/** A request with a valid key and a body that is read. */
export type ArrivedRequest = {
  exchange: Exchange;
  principal: Principal;
  body: JsonBody;
  /** Undefined if a client waits for the answer. */
  unattended?: Unattended | undefined;
};

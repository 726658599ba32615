import type { Refusal } from '../../base/errors/refusal.ts';
import type { JsonBody } from '../../base/json/json-body.ts';
import type { Exchange } from '../../edge/http/exchange.ts';
import type { Reply } from '../../edge/http/reply.ts';
import type { Principal } from '../../money/auth/principal.ts';

/** Begins a response in the background. The reply shows that it is queued. */
export type BackgroundStarter = {
  begin(arrived: { exchange: Exchange; principal: Principal; body: JsonBody }): Promise<Reply | Refusal>;
};

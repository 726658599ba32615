import type { Refusal } from '../../base/errors/refusal.ts';
import type { JsonBody } from '../../base/json/json-body.ts';
import type { Exchange } from '../../edge/http/exchange.ts';
import type { Reply } from '../../edge/http/reply.ts';
import type { Principal } from '../../money/auth/principal.ts';
import type { Dialect } from '../../translation/contract/dialect.ts';

/** A dialect whose answers can be made in the background. */
export type BackgroundDialect = Dialect & Required<Pick<Dialect, 'runsInBackground'>>;

/** Reports whether answers of a dialect can be made in the background. */
export const runsInBackground = (dialect: Dialect): dialect is BackgroundDialect =>
  dialect.runsInBackground !== undefined;

/** A request for an answer in the background. */
export type BackgroundArrival = {
  exchange: Exchange;
  principal: Principal;
  body: JsonBody;
  dialect: BackgroundDialect;
};

/** Begins responses in the background. The reply shows that it is queued. */
export type BackgroundStarter = {
  begin(arrived: BackgroundArrival): Promise<Reply | Refusal>;
};

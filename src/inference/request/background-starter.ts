import type { Refusal } from '../../base/errors/refusal.ts';
import type { Reply } from '../../edge/http/reply.ts';
import type { Dialect } from '../../translation/contract/dialect.ts';
import type { ArrivedRequest } from './arrived-request.ts';

/** A dialect whose answers can be made in the background. */
export type BackgroundDialect = Dialect & Required<Pick<Dialect, 'runsInBackground'>>;

/** Reports whether answers of a dialect can be made in the background. */
export const runsInBackground = (dialect: Dialect): dialect is BackgroundDialect =>
  dialect.runsInBackground !== undefined;

/** A request for an answer in the background. */
export type BackgroundArrival = ArrivedRequest & { dialect: BackgroundDialect };

/** Begins responses in the background. The reply is the queued response, or its stream. */
export type BackgroundStarter = {
  begin(arrived: BackgroundArrival): Promise<Reply | Refusal>;
};

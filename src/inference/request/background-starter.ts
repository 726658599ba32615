import type { Refusal } from '../../base/errors/refusal.ts';
import type { Reply } from '../../edge/http/reply.ts';
import type { ArrivedRequest } from './inference.ts';

/** Begins a response in the background. The reply shows that it is queued. */
export type BackgroundStarter = {
  begin(arrived: ArrivedRequest): Promise<Reply | Refusal>;
};

import type { Exchange } from '../../edge/http/exchange.ts';
import type { Carriage } from '../../translation/contract/dialect.ts';
import type { OpenCall } from '../../upstream/calling/provider-activity.ts';
import type { HttpAnswer } from '../../upstream/http-client/http-answer.ts';
import type { Settle } from '../settlement/billable-answer.ts';
import type { UsageEstimate } from '../settlement/usage-estimate.ts';
import type { UsageWatch } from '../settlement/usage-watch.ts';
import type { LargeAnswers } from './large-answers.ts';
import type { OpenAnswers } from './open-answers.ts';
import type { ReaderPace } from './reader-pace.ts';

/** An upstream's answer that has begun, with everything that is needed to convert it for the client. */
export type BegunAnswer = {
  order: {
    exchange: Exchange;
    settle: Settle;
    watch: UsageWatch;
    open: OpenAnswers;
    pace: ReaderPace;
    largeAnswers: Pick<LargeAnswers, 'read'>;
    estimate: UsageEstimate;
  };
  carriage: Carriage;
  answer: HttpAnswer;
  attempt: OpenCall;
};

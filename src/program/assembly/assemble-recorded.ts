import { RecordedAnswers } from '../../inference/recording/recorded-answers.ts';
import type { RecordingParts } from '../../inference/recording/recording-parts.ts';
import type { Services } from '../../inference/request/services.ts';
import { startOver } from '../../money/auth/start-over.ts';
import type { Foundation } from './create-foundation.ts';

/** Assembles the recorder of answers, and has the gateway use it. */
export function assembleRecorded(
  { storage, logger, clock }: Foundation,
  services: Services,
  memory: RecordingParts['memory'],
): RecordedAnswers {
  const { limits, authenticator } = services;
  const countRead: RecordingParts['countRead'] = async (exchange, principal) => {
    try {
      return await limits.load(exchange, principal, 1);
    } catch (error) {
      return startOver(error, principal, {
        authenticate: (stale) => authenticator.authenticateAgain(exchange, stale, 'either'),
        work: async (current) => limits.load(exchange, current, 1),
      });
    }
  };
  const recorded = new RecordedAnswers({
    store: storage.recordings,
    background: storage.background,
    open: services.open,
    ledger: storage.ledger,
    clock,
    memory,
    isShared: storage.nodes !== undefined,
    countRead,
    onFailure: (error) => logger.error('recording-failed', { error: String(error) }),
  });
  services.recorder = recorded;
  return recorded;
}

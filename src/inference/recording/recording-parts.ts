import type { Refusal } from '../../base/errors/refusal.ts';
import type { Clock } from '../../base/lib/clock.ts';
import type { MemoryBudget } from '../../base/memory/memory-budget.ts';
import type { Exchange } from '../../edge/http/exchange.ts';
import type { Principal } from '../../money/auth/principal.ts';
import type { LedgerStore } from '../../money/ledger/ledger-store.ts';
import type { BackgroundReader } from '../background/background-store.ts';
import type { OpenAnswers } from '../stream/open-answers.ts';
import type { RecordingStore } from './recording-store.ts';

export type RecordingParts = {
  store: RecordingStore;
  background: BackgroundReader;
  open: Pick<OpenAnswers, 'add'>;
  ledger: Pick<LedgerStore, 'findEntry'>;
  clock: Clock;
  memory: Pick<MemoryBudget, 'open'>;
  /** Other processes read the same store. */
  isShared: boolean;
  /** Counts a request that calls no model. */
  countRead(exchange: Exchange, principal: Principal): Promise<Refusal | undefined>;
  onFailure(error: unknown): void;
};

import type { Clock } from '../../base/lib/clock.ts';
import type { StartTurns } from '../../base/lib/start-turns.ts';
import type { YieldQueue } from '../../base/lib/yield-queue.ts';
import type { BodyReader } from '../../edge/http/create-body-reader.ts';
import type { FormReader } from '../../edge/uploads/create-form-reader.ts';
import type { RequestAuthenticator } from '../../money/auth/authenticator.ts';
import type { LedgerStore } from '../../money/ledger/ledger-store.ts';
import type { Limits } from '../../money/limits/limits.ts';
import type { StorageLimits } from '../../money/limits/storage-limits.ts';
import type { Wire } from '../../translation/canonical/wire.ts';
import type { WireCodec } from '../../translation/contract/wire-codec.ts';
import type { TokenCounter } from '../../translation/tokens/token-counter.ts';
import type { Routing } from '../../upstream/routing/routing.ts';
import type { VendorIds } from '../responses/vendor-ids.ts';
import type { ImplausibleUsage } from '../settlement/belief.ts';
import type { CacheShares } from '../settlement/cache-shares.ts';
import type { Tabs } from '../settlement/tabs.ts';
import type { LargeAnswers } from '../stream/large-answers.ts';
import type { OpenAnswers } from '../stream/open-answers.ts';
import type { AnswerRecorder } from './answer-recorder.ts';
import type { BackgroundStarter } from './background-starter.ts';
import type { ConversationSource } from './kept-conversation.ts';

/** The parts of the gateway that serve all requests. */
export type Services = {
  authenticator: RequestAuthenticator;
  readBody: BodyReader;
  /** Reads the forms of dialects that take one. */
  readForm: FormReader;
  ledger: LedgerStore;
  limits: Limits;
  storage: StorageLimits;
  clock: Clock;
  tabs: Tabs;
  /** Alerts the operator to an implausible usage report of an upstream. */
  reportImplausible(usage: ImplausibleUsage): void;
  counter: TokenCounter;
  /** The share of each prompt that the upstreams read from their caches. */
  shares: CacheShares;
  conversations: ConversationSource;
  routing: Routing;
  wires: ReadonlyMap<Wire, WireCodec>;
  vendorIds: VendorIds;
  /** Begins responses in the background. Undefined in processes that make none. */
  background?: BackgroundStarter | undefined;
  /** Records answers for retries and for readers of their streams. Undefined where none are recorded. */
  recorder?: AnswerRecorder | undefined;
  /** The key that seals compactions. All nodes have the same. */
  recapKey: Uint8Array;
  open: OpenAnswers;
  largeAnswers: Pick<LargeAnswers, 'read'>;
  /** Spreads requests that arrive together. */
  starts: StartTurns;
  /** Gives other requests a turn between the steps of work on a long request. */
  yieldQueue: YieldQueue;
};

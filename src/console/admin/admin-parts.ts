import type { Refusal } from '../../base/errors/refusal.ts';
import type { AdvancingClock, Clock } from '../../base/lib/clock.ts';
import type { MaybeLater } from '../../base/lib/maybe-later.ts';
import type { BatchDirectory } from '../../batches/collections/batch-directory.ts';
import type { BudgetService } from '../../customers/budgets/budget-service.ts';
import type { MailCourier } from '../../customers/mail/mail-courier.ts';
import type { TokenService } from '../../customers/operators/token-service.ts';
import type { PeopleServices } from '../../customers/people/create-people-services.ts';
import type { BodyReader } from '../../edge/http/create-body-reader.ts';
import type { Account } from '../../money/accounts/account.ts';
import type { AccountStore } from '../../money/accounts/account-store.ts';
import type { Accounts } from '../../money/accounts/accounts.ts';
import type { KeyUses } from '../../money/accounts/key-uses.ts';
import type { LedgerStore } from '../../money/ledger/ledger-store.ts';
import type { VerifiedLedger } from '../../money/ledger/verify-ledger.ts';
import type { StoredBytes } from '../../money/limits/stored-bytes.ts';
import type { Provider } from '../../settings/hosts/providers.ts';
import type { ProviderActivity } from '../../upstream/calling/provider-activity.ts';
import type { Capacity } from '../../upstream/capacity/capacity.ts';
import type { LearnedRefusals } from '../../upstream/routing/learned-refusals.ts';
import type { AlertBook } from '../../watch/alerts/alert-book.ts';
import type { FaultRecorder } from '../../watch/faults/fault-recorder.ts';
import type { NodeDirectory } from '../../watch/nodes/node-record.ts';
import type { Fleet } from '../../watch/observability/fleet.ts';
import type { RefusalStore } from '../../watch/refusals/refusal-store.ts';
import type { PayloadLogging } from '../../watch/requests/payload-logging.ts';
import type { RequestBook } from '../../watch/requests/request-book.ts';
import type { MilestoneStore } from '../../watch/traffic/milestone-store.ts';
import type { TrafficReport } from '../../watch/traffic/traffic-report.ts';
import type { StoredSettings } from '../settings/stored-settings.ts';
import type { ConfigurationService } from './configuration-service.ts';
import type { Examination } from './examination.ts';
import type { ReloadOutcome } from './reload-outcome.ts';
import type { TargetState } from './target-state.ts';

/** The parts that the handlers of the admin API use. */
export type AdminParts = {
  configuration: ConfigurationService;
  tokens: TokenService;
  accounts: Accounts;
  /** Ends the stop of an account's hosted tools. */
  shortfalls: { clear(accountId: string, actor: string): Promise<Account | Refusal> };
  activity: ProviderActivity;
  capacity: Capacity<Provider>;
  routing: {
    /** Returns the targets that were called since the start. */
    targetsOf(providerId: string): readonly TargetState[];
    isDrained(providerId: string): MaybeLater<boolean>;
    setDrained(providerId: string, isDrained: boolean): MaybeLater<void>;
  };
  /** The refusals that the gateway has learned from providers. */
  learned: Pick<LearnedRefusals, 'list' | 'forget'>;
  /** Providers and models that operators make. */
  settings: StoredSettings;
  clock: Clock;
  /** The clock of a test server. Without it, `/test/clock` does not exist. */
  movableClock?: AdvancingClock | undefined;
  /** The last uses of keys. */
  keyUses: Pick<KeyUses, 'of'>;
  ledger: LedgerStore;
  budgets: BudgetService;
  stored: StoredBytes;
  batches: BatchDirectory;
  alerts: AlertBook;
  /** Reports the faults that a verification of the ledger has found. */
  reportFaults(verified: VerifiedLedger): void;
  requests: RequestBook;
  traffic: TrafficReport;
  milestones: MilestoneStore;
  refusals: RefusalStore;
  faults: FaultRecorder;
  keys: AccountStore;
  payloads: PayloadLogging;
  people: PeopleServices;
  mail: MailCourier;
  readBody: BodyReader;
  /** Reloads the configuration and writes the audit entry, since a signal can also trigger a reload. */
  reload: (actor: string) => Promise<ReloadOutcome>;
  nodes: NodeDirectory;
  /** Undefined if one process serves the port. */
  fleet?: Fleet | undefined;
  /** Examines the server. `isLive`: also calls each provider. */
  examine: (how: { isLive: boolean }) => Promise<Examination>;
};

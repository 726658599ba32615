import type { AccountResponses } from '../../api/responses/account-responses.ts';
import type { Refusal } from '../../base/errors/refusal.ts';
import type { Clock } from '../../base/lib/clock.ts';
import type { AccountBatches } from '../../batches/collections/account-batches.ts';
import type { BillingService } from '../../customers/billing/billing-service.ts';
import type { BudgetService } from '../../customers/budgets/budget-service.ts';
import type { CodeAttempts } from '../../customers/device-sign-in/code-attempts.ts';
import type { DeviceSignIns } from '../../customers/device-sign-in/device-sign-ins.ts';
import type { Operator } from '../../customers/operators/admin-token.ts';
import type { PeopleServices } from '../../customers/people/create-people-services.ts';
import type { Prompts } from '../../customers/prompts/prompts.ts';
import type { BodyReader } from '../../edge/http/create-body-reader.ts';
import type { RawBodyReader } from '../../edge/http/create-raw-body-reader.ts';
import type { Exchange } from '../../edge/http/exchange.ts';
import type { Accounts } from '../../money/accounts/accounts.ts';
import type { KeyUses } from '../../money/accounts/key-uses.ts';
import type { LedgerStore } from '../../money/ledger/ledger-store.ts';
import type { StoredBytes } from '../../money/limits/stored-bytes.ts';
import type { PayloadLogging } from '../../watch/requests/payload-logging.ts';
import type { RequestBook } from '../../watch/requests/request-book.ts';
import type { UsageStore } from '../../watch/requests/usage-store.ts';
import type { TrafficReport } from '../../watch/traffic/traffic-report.ts';
import type { EventStreams } from './event-streams.ts';
import type { PlaygroundParts } from './playground-parts.ts';

/** The parts that the handlers of the dashboard's API use. */
export type DashboardParts = PeopleServices & {
  readBody: BodyReader;
  readBytes: RawBodyReader;
  accounts: Accounts;
  billing: BillingService;
  ledger: LedgerStore;
  budgets: BudgetService;
  usage: UsageStore;
  requests: RequestBook;
  traffic: TrafficReport;
  playground: PlaygroundParts;
  batches: AccountBatches;
  responses: AccountResponses;
  stored: StoredBytes;
  clock: Clock;
  keyUses: KeyUses;
  payloads: PayloadLogging;
  eventStreams: EventStreams;
  prompts: Prompts;
  deviceSignIns: DeviceSignIns;
  /** The codes of devices that a session has tried. */
  codeAttempts: CodeAttempts;
  /** Returns the holder of an admin token. Answers to wrong tokens are slowed like those of the admin API. */
  holderOf(token: string, exchange: Exchange): Promise<Operator | Refusal>;
};

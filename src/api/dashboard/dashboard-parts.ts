import type { Refusal } from '../../base/errors/refusal.ts';
import type { Clock } from '../../base/lib/clock.ts';
import type { Exchange } from '../../edge/http/exchange.ts';
import type { Accounts } from '../../money/accounts/accounts.ts';
import type { KeyUses } from '../../money/accounts/key-uses.ts';
import type { LedgerStore } from '../../money/ledger/ledger-store.ts';
import type { StoredBytes } from '../../money/limits/stored-bytes.ts';
import type { AccountBatches } from '../batches/account-batches.ts';
import type { Operator } from '../operators/admin-token.ts';
import type { PeopleRoom } from '../people/people-room.ts';
import type { PayloadLogging } from '../requests/payload-logging.ts';
import type { RequestBook } from '../requests/request-book.ts';
import type { AccountResponses } from '../responses/account-responses.ts';
import type { UsageStore } from '../usage/usage-store.ts';
import type { DashboardGate } from './dashboard-route.ts';
import type { PlaygroundParts } from './playground-routes.ts';

/** What the dashboard's routes are made of. */
export type DashboardParts = DashboardGate &
  PeopleRoom & {
    accounts: Accounts;
    ledger: LedgerStore;
    usage: UsageStore;
    requests: Pick<RequestBook, 'find' | 'list'>;
    playground: PlaygroundParts;
    batches: AccountBatches;
    responses: AccountResponses;
    stored: StoredBytes;
    content: Pick<PayloadLogging, 'isOn' | 'find'>;
    clock: Clock;
    keyUses: Pick<KeyUses, 'of'>;
    /** The holder of an admin token. Wrong tokens are slowed as those of the admin API. */
    holderOf(token: string, exchange: Exchange): Promise<Operator | Refusal>;
  };

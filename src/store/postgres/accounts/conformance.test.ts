import { newId } from '../../../base/lib/ids.ts';
import { describeAccounts } from '../../conformance/accounts.ts';
import { describeAudit } from '../../conformance/audit.ts';
import { describeConcurrency } from '../../conformance/concurrency.ts';
import { describeHealth } from '../../conformance/health.ts';
import { describeKeys } from '../../conformance/keys.ts';
import { describeTokens } from '../../conformance/tokens.ts';
import { Database } from '../database.ts';
import { PostgresHealth } from '../health.ts';
import { openPartsForTest } from '../testing/open-parts-for-test.ts';
import { PostgresAccounts } from './postgres-accounts.ts';
import { PostgresTokens } from './postgres-tokens.ts';

const open = openPartsForTest((database, url) => [
  new PostgresAccounts(database),
  new PostgresTokens(database),
  new PostgresHealth({
    connect: () => new Database({ url, most: 1 }),
    process: newId('proc_'),
  }),
]);

describeAccounts(open);
describeKeys(open);
describeTokens(open);
describeAudit(open);
describeConcurrency(open);
describeHealth(open);

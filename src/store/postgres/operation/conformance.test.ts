import { newId } from '../../../base/lib/ids.ts';
import { describeAlerts } from '../../conformance/alerts.ts';
import { describeRequests } from '../../conformance/requests.ts';
import { openPartsForTest } from '../testing/open-parts-for-test.ts';
import { PostgresAlerts } from './postgres-alerts.ts';
import { PostgresRequests } from './postgres-requests.ts';

const open = openPartsForTest((database) => [
  new PostgresRequests(database),
  new PostgresAlerts(database, newId('proc_')),
]);

describeRequests(open);
describeAlerts(open);

import accounts from './functions/accounts.sql' with { type: 'text' };
import alertRings from './functions/alert-rings.sql' with { type: 'text' };
import alerts from './functions/alerts.sql' with { type: 'text' };
import batchItems from './functions/batch-items.sql' with { type: 'text' };
import batches from './functions/batches.sql' with { type: 'text' };
import budgets from './functions/budgets.sql' with { type: 'text' };
import gate from './functions/gate.sql' with { type: 'text' };
import gifts from './functions/gifts.sql' with { type: 'text' };
import holds from './functions/holds.sql' with { type: 'text' };
import installation from './functions/installation.sql' with { type: 'text' };
import nodes from './functions/nodes.sql' with { type: 'text' };
import postEntries from './functions/post-entries.sql' with { type: 'text' };
import providerShares from './functions/provider-shares.sql' with { type: 'text' };
import requestRecords from './functions/request-records.sql' with { type: 'text' };
import requestSums from './functions/request-sums.sql' with { type: 'text' };
import responseRemoval from './functions/response-removal.sql' with { type: 'text' };
import responses from './functions/responses.sql' with { type: 'text' };
import restore from './functions/restore.sql' with { type: 'text' };
import storedBytes from './functions/stored-bytes.sql' with { type: 'text' };
import usage from './functions/usage.sql' with { type: 'text' };
import windows from './functions/windows.sql' with { type: 'text' };

/** The current definitions of all functions. */
export const functions: readonly string[] = [
  accounts,
  alertRings,
  alerts,
  batchItems,
  batches,
  budgets,
  gate,
  gifts,
  holds,
  installation,
  nodes,
  postEntries,
  providerShares,
  requestRecords,
  requestSums,
  responseRemoval,
  responses,
  restore,
  storedBytes,
  usage,
  windows,
];

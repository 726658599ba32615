import { AccountResponses } from '../../api/responses/account-responses.ts';
import type { DashboardParts } from '../../console/dashboard/dashboard-parts.ts';
import { Prompts } from '../../customers/prompts/prompts.ts';
import type { Loads } from '../../inference/responses/loads.ts';
import type { Batches } from './assemble-batches.ts';
import type { AssembledBilling } from './assemble-billing.ts';
import type { Storage } from './storage.ts';

/** The parts of the dashboard that run requests, and show batches and stored responses. */
export type DashboardWork = Pick<
  DashboardParts,
  | 'readBytes'
  | 'billing'
  | 'playground'
  | 'batches'
  | 'responses'
  | 'stored'
  | 'usage'
  | 'keyUses'
  | 'eventStreams'
  | 'prompts'
>;

type Sources = Omit<DashboardParts['playground'], 'clock' | 'live'> & {
  readBytes: DashboardWork['readBytes'];
  keyUses: DashboardWork['keyUses'];
  eventStreams: DashboardWork['eventStreams'];
  batches: Batches;
  billing: AssembledBilling;
  loads: Loads;
  storage: Pick<Storage, 'store' | 'usage' | 'prompts' | 'clock'>;
};

/** Connects the parts of the dashboard that need more than the admin API. */
export function dashboardWork(parts: Sources): DashboardWork {
  const { accounts, authenticator, services, dialects, batches, billing, loads } = parts;
  const { store, usage, prompts, clock } = parts.storage;
  return {
    readBytes: parts.readBytes,
    billing: billing.service,
    playground: { accounts, authenticator, services, dialects, clock, live: () => batches.pace.live() },
    batches: batches.ofAccounts,
    responses: new AccountResponses({ store, loads, clock }),
    stored: store,
    usage,
    keyUses: parts.keyUses,
    eventStreams: parts.eventStreams,
    prompts: new Prompts({ store: prompts, clock }),
  };
}

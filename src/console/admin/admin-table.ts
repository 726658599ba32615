import { accountRoutes } from './account-routes.ts';
import { alertRoutes } from './alert-routes.ts';
import { archiveRoutes } from './archive-routes.ts';
import { auditRoutes } from './audit-routes.ts';
import { batchRoutes } from './batch-routes.ts';
import { budgetRoutes } from './budget-routes.ts';
import { catalogRoutes } from './catalog-routes.ts';
import { configurationRoutes } from './configuration-routes.ts';
import { creditRoutes } from './credit-routes.ts';
import { doctorRoutes } from './doctor-routes.ts';
import { faultRoutes } from './fault-routes.ts';
import { keyRoutes } from './key-routes.ts';
import { ledgerRoutes } from './ledger-routes.ts';
import { mailRoutes } from './mail-routes.ts';
import { memberRoutes } from './member-routes.ts';
import { modelSettingRoutes } from './model-setting-routes.ts';
import { namesRoutes } from './name-routes.ts';
import { nodeRoutes } from './node-routes.ts';
import { payloadRoutes } from './payload-routes.ts';
import { peopleRoutes } from './people-routes.ts';
import { providerRoutes } from './provider-routes.ts';
import { providerSettingRoutes } from './provider-setting-routes.ts';
import { queueRoutes } from './queue-routes.ts';
import { refusalRoutes } from './refusal-routes.ts';
import { repairRoutes } from './repair-routes.ts';
import { requestRoutes } from './request-routes.ts';
import { secretRoutes } from './secret-routes.ts';
import { setupRoutes } from './setup-routes.ts';
import { tokenRoutes } from './token-routes.ts';
import { trafficRoutes } from './traffic-routes.ts';

/** Every route of the admin API. */
export const adminTable = [
  ...accountRoutes,
  ...namesRoutes,
  ...keyRoutes,
  ...budgetRoutes,
  ...creditRoutes,
  ...ledgerRoutes,
  ...repairRoutes,
  ...archiveRoutes,
  ...providerRoutes,
  ...providerSettingRoutes,
  ...queueRoutes,
  ...faultRoutes,
  ...refusalRoutes,
  ...batchRoutes,
  ...requestRoutes,
  ...trafficRoutes,
  ...payloadRoutes,
  ...catalogRoutes,
  ...modelSettingRoutes,
  ...alertRoutes,
  ...auditRoutes,
  ...configurationRoutes,
  ...doctorRoutes,
  ...setupRoutes,
  ...secretRoutes,
  ...tokenRoutes,
  ...nodeRoutes,
  ...peopleRoutes,
  ...memberRoutes,
  ...mailRoutes,
];

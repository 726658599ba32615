import { rotateReceiverSecret, saveReceiver, showReceiver, testReceiver } from './alert-receivers.ts';
import { dashboardRoute } from './dashboard-route.ts';
import { saveReload, showReload } from './organization-reload.ts';
import { alertTestView, receiverOrder, receiverView } from './receiver-schema.ts';
import { reloadOrder, reloadView } from './reload-schema.ts';

const BILLING = '/dashboard/v1/organizations/{account}/billing';
const RELOAD = `${BILLING}/auto-reload` as const;
const ALERTS = `${BILLING}/alerts` as const;

/** The automatic purchases of an organization, and the receivers of its alerts. */
export const billingSettingRoutes = [
  dashboardRoute({ method: 'GET', path: RELOAD, access: 'viewer', answer: reloadView }, showReload),
  dashboardRoute(
    { method: 'POST', path: RELOAD, access: 'owner', body: reloadOrder, answer: reloadView },
    saveReload,
  ),
  dashboardRoute({ method: 'GET', path: ALERTS, access: 'developer', answer: receiverView }, showReceiver),
  dashboardRoute(
    { method: 'POST', path: ALERTS, access: 'owner', body: receiverOrder, answer: receiverView },
    saveReceiver,
  ),
  dashboardRoute(
    { method: 'POST', path: `${ALERTS}/secret`, access: 'owner', answer: receiverView },
    rotateReceiverSecret,
  ),
  dashboardRoute(
    { method: 'POST', path: `${ALERTS}/test`, access: 'owner', answer: alertTestView },
    testReceiver,
  ),
];

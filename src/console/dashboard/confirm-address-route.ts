import { dashboardRoute } from './dashboard-route.ts';
import { confirmAddressOrder, confirmedAddressView } from './receiver-schema.ts';

/** Confirms the mail address of alerts. The link is enough, since its reader may have no account. */
export const confirmAddressRoute = dashboardRoute(
  {
    method: 'POST',
    path: '/dashboard/v1/alert-addresses/confirm',
    access: 'anyone',
    attempts: 'link',
    body: confirmAddressOrder,
    answer: confirmedAddressView,
  },
  ({ body: { token } }, { billing }) => billing.receivers.confirmAddress(token),
);

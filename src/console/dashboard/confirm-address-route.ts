import { confirmAddress } from './alert-receivers.ts';
import { dashboardRoute } from './dashboard-route.ts';
import { confirmAddressOrder, confirmedAddressView } from './receiver-schema.ts';

/** The route behind the link that confirms a mail address of alerts. */
export const confirmAddressRoute = dashboardRoute(
  {
    method: 'POST',
    path: '/dashboard/v1/alert-addresses/confirm',
    access: 'anyone',
    attempts: 'link',
    body: confirmAddressOrder,
    answer: confirmedAddressView,
  },
  confirmAddress,
);

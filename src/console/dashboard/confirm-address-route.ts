import { clientNetworks } from '../../edge/http/client-network.ts';
import { confirmAddressOrder, confirmedAddressView } from './billing-schema.ts';
import { dashboardRoute } from './dashboard-route.ts';

/** Confirms the mail address of alerts. The link is enough, since its reader may have no account. */
export const confirmAddressRoute = dashboardRoute(
  {
    method: 'POST',
    path: '/dashboard/v1/alert-addresses/confirm',
    access: 'anyone',
    body: confirmAddressOrder,
    answer: confirmedAddressView,
  },
  async ({ exchange, body: { token } }, { billing, attempts }) =>
    (await attempts.count({ kind: 'link', networks: clientNetworks(exchange) })) ??
    (await billing.settings.confirmAddress(token)),
);

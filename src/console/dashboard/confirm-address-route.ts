import { clientNetworks } from '../../edge/http/client-network.ts';
import { confirmAddressOrder, confirmedAddressView } from './billing-schema.ts';
import type { DashboardParts } from './dashboard-parts.ts';
import { type DashboardRoute, dashboardRoute } from './dashboard-route.ts';

/** Confirms the mail address of alerts. The link is enough, since its reader may have no account. */
export const confirmAddressRoute = ({
  billing,
  attempts,
}: Pick<DashboardParts, 'billing' | 'attempts'>): DashboardRoute =>
  dashboardRoute({
    method: 'POST',
    path: '/dashboard/v1/alert-addresses/confirm',
    access: 'anyone',
    body: confirmAddressOrder,
    answer: confirmedAddressView,
    handle: async ({ exchange, body: { token } }) =>
      (await attempts.count({ kind: 'link', networks: clientNetworks(exchange) })) ??
      (await billing.settings.confirmAddress(token)),
  });

import { costQuery, requestCost } from '../traffic/request-cost.ts';
import { dashboardRoute } from './dashboard-route.ts';
import {
  explainRequestCost,
  listRequests,
  showRequest,
  showRequestContent,
} from './organization-requests.ts';
import { requestContentView, requestDetail, requestPage, requestQuery } from './request-schema.ts';

const REQUESTS = '/dashboard/v1/organizations/{account}/requests';
const REQUEST = `${REQUESTS}/{id}` as const;

/** The requests of an organization, with the reasons of refusals and with receipts. */
export const requestRoutes = [
  dashboardRoute(
    { method: 'GET', path: REQUESTS, access: 'viewer', query: requestQuery, answer: requestPage },
    listRequests,
  ),
  dashboardRoute({ method: 'GET', path: REQUEST, access: 'viewer', answer: requestDetail }, showRequest),
  dashboardRoute(
    { method: 'GET', path: `${REQUEST}/cost`, access: 'viewer', query: costQuery, answer: requestCost },
    explainRequestCost,
  ),
  dashboardRoute(
    { method: 'GET', path: `${REQUEST}/content`, access: 'developer', answer: requestContentView },
    showRequestContent,
  ),
];

import { deletedAnswer } from './batch-schema.ts';
import { dashboardRoute } from './dashboard-route.ts';
import { listQuery } from './list-query.ts';
import {
  deleteResponse,
  downloadResponse,
  listResponseItems,
  listResponses,
  showResponse,
} from './organization-responses.ts';
import { responseDetail, responseItems, responseList } from './response-schema.ts';
import { wholeReply } from './whole-reply.ts';

const RESPONSES = '/dashboard/v1/organizations/{account}/responses';
const RESPONSE = `${RESPONSES}/{id}` as const;

/** The routes for the stored responses of all keys of an organization. */
export const responseRoutes = [
  dashboardRoute(
    { method: 'GET', path: RESPONSES, access: 'viewer', query: listQuery, answer: responseList },
    listResponses,
  ),
  dashboardRoute(
    { method: 'DELETE', path: RESPONSE, access: 'developer', answer: deletedAnswer },
    deleteResponse,
  ),
  dashboardRoute(
    { method: 'GET', path: RESPONSE, access: 'developer', answer: responseDetail },
    showResponse,
  ),
  dashboardRoute(
    {
      method: 'GET',
      path: `${RESPONSE}/items`,
      access: 'developer',
      query: listQuery,
      answer: responseItems,
    },
    listResponseItems,
  ),
  dashboardRoute(
    { method: 'GET', path: `${RESPONSE}/download`, access: 'developer', answer: wholeReply },
    downloadResponse,
  ),
];

import { dashboardRoute } from './dashboard-route.ts';
import { showSnippets } from './show-snippets.ts';
import { snippetList, snippetsQuery } from './snippet-schema.ts';

/** The settings of clients, for the plan of the organization and one of its keys. */
export const snippetRoutes = [
  dashboardRoute(
    {
      method: 'GET',
      path: '/dashboard/v1/organizations/{account}/snippets',
      access: 'viewer',
      query: snippetsQuery,
      answer: snippetList,
    },
    showSnippets,
  ),
];

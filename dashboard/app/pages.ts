import type { Page } from './page.ts';

/** Every page of the dashboard. A page is loaded when it is first opened. */
export const pages: readonly Page[] = [
  {
    path: '/',
    title: 'Overview',
    access: 'anyone',
    load: async () => (await import('../features/start/start-page.tsx')).StartPage,
  },
  {
    path: '/usage',
    title: 'Usage',
    access: 'member',
    load: async () => (await import('../features/usage/usage-page.tsx')).UsagePage,
  },
  {
    path: '/requests',
    title: 'Requests',
    access: 'member',
    load: async () => (await import('../features/requests/requests-page.tsx')).RequestsPage,
  },
  {
    path: '/requests/{id}',
    title: 'Request',
    access: 'member',
    load: async () => (await import('../features/requests/request-page.tsx')).RequestPage,
  },
];

import type { Page } from './page.ts';

/** Every page of the dashboard. A page is loaded when it is first opened. */
export const pages: readonly Page[] = [
  {
    path: '/',
    title: 'Overview',
    access: 'anyone',
    load: async () => (await import('../features/start/start-page.tsx')).StartPage,
  },
];

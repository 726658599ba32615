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
    path: '/playground',
    title: 'Playground',
    access: 'member',
    load: async () => (await import('../features/playground/playground-page.tsx')).PlaygroundPage,
  },
  {
    path: '/batches',
    title: 'Batches',
    access: 'member',
    load: async () => (await import('../features/batches/batches-page.tsx')).BatchesPage,
  },
  {
    path: '/batches/{id}',
    title: 'Batch',
    access: 'member',
    load: async () => (await import('../features/batches/batch-page.tsx')).BatchPage,
  },
  {
    path: '/responses',
    title: 'Stored responses',
    access: 'member',
    load: async () => (await import('../features/responses/responses-page.tsx')).ResponsesPage,
  },
  {
    path: '/responses/{id}',
    title: 'Stored response',
    access: 'member',
    load: async () => (await import('../features/responses/response-page.tsx')).ResponsePage,
  },
];

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
    path: '/keys',
    title: 'Keys',
    access: 'member',
    load: async () => (await import('../features/keys/keys-page.tsx')).KeysPage,
  },
  {
    path: '/models',
    title: 'Models',
    access: 'member',
    load: async () => (await import('../features/models/models-page.tsx')).ModelsPage,
  },
  {
    path: '/models/{id*}',
    title: 'Model',
    access: 'member',
    load: async () => (await import('../features/models/model-page.tsx')).ModelPage,
  },
];

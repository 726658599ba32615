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
    path: '/sign-in',
    title: 'Sign in',
    access: 'signed-out',
    frame: 'bare',
    load: async () => (await import('../features/sign-in/sign-in-page.tsx')).SignInPage,
  },
  {
    path: '/sign-up',
    title: 'Sign up',
    access: 'signed-out',
    frame: 'bare',
    load: async () => (await import('../features/sign-in/sign-up-page.tsx')).SignUpPage,
  },
  {
    path: '/verify',
    title: 'Confirm your address',
    access: 'anyone',
    frame: 'bare',
    load: async () => (await import('../features/sign-in/verify-page.tsx')).VerifyPage,
  },
  {
    path: '/reset',
    title: 'Choose another password',
    access: 'anyone',
    frame: 'bare',
    load: async () => (await import('../features/sign-in/reset-page.tsx')).ResetPage,
  },
  {
    path: '/invitation',
    title: 'Invitation',
    access: 'anyone',
    frame: 'bare',
    load: async () => (await import('../features/sign-in/invitation-page.tsx')).InvitationPage,
  },
  {
    path: '/playground',
    title: 'Playground',
    access: 'member',
    load: async () => (await import('../features/playground/playground-page.tsx')).PlaygroundPage,
  },
  {
    path: '/billing',
    title: 'Billing',
    access: 'member',
    load: async () => (await import('../features/billing/billing-page.tsx')).BillingPage,
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

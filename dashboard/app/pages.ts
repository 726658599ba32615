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
    path: '/organization',
    title: 'Organization',
    access: 'member',
    load: async () => (await import('../features/organization/organization-page.tsx')).OrganizationPage,
  },
  {
    path: '/account',
    title: 'Your account',
    access: 'person',
    load: async () => (await import('../features/account/account-page.tsx')).AccountPage,
  },
];

import { entriesOf } from '../../src/base/lib/records.ts';
import type { PagePath } from '../../src/console/site/page-paths.ts';
import type { Page } from './page.ts';

type PageRow = Omit<Page, 'path'>;
type Load = Page['load'];

const member = (title: string, load: Load): PageRow => ({ title, access: 'member', load });
const operator = (title: string, load: Load): PageRow => ({ title, access: 'operator', load });
/** Makes the row of a page without navigation, which a signed-out visitor may need. */
const bare = (title: string, access: Page['access'], load: Load): PageRow => ({
  title,
  access,
  frame: 'bare',
  load,
});

/** Every page of the dashboard by its address. A page is loaded when it is first opened. */
const rows: Readonly<Record<PagePath, PageRow>> = {
  '/': {
    title: 'Overview',
    access: 'anyone',
    load: async () => (await import('../features/start/start-page.tsx')).StartPage,
  },
  '/sign-in': bare(
    'Sign in',
    'signed-out',
    async () => (await import('../features/sign-in/sign-in-page.tsx')).SignInPage,
  ),
  '/sign-up': bare(
    'Sign up',
    'signed-out',
    async () => (await import('../features/sign-in/sign-up-page.tsx')).SignUpPage,
  ),
  '/verify': bare(
    'Confirm your address',
    'anyone',
    async () => (await import('../features/sign-in/verify-page.tsx')).VerifyPage,
  ),
  '/reset': bare(
    'Choose another password',
    'anyone',
    async () => (await import('../features/sign-in/reset-page.tsx')).ResetPage,
  ),
  '/invitation': bare(
    'Invitation',
    'anyone',
    async () => (await import('../features/sign-in/invitation-page.tsx')).InvitationPage,
  ),
  '/confirm-address': bare(
    'Receive alerts',
    'anyone',
    async () => (await import('../features/sign-in/confirm-address-page.tsx')).ConfirmAddressPage,
  ),
  '/device': bare(
    'Sign in a device',
    'member',
    async () => (await import('../features/sign-in/device-page.tsx')).DevicePage,
  ),
  '/organization': member(
    'Organization',
    async () => (await import('../features/organization/organization-page.tsx')).OrganizationPage,
  ),
  '/account': {
    title: 'Your account',
    access: 'person',
    load: async () => (await import('../features/account/account-page.tsx')).AccountPage,
  },
  '/playground': member(
    'Playground',
    async () => (await import('../features/playground/playground-page.tsx')).PlaygroundPage,
  ),
  '/budgets': member(
    'Budgets',
    async () => (await import('../features/budgets/budgets-page.tsx')).BudgetsPage,
  ),
  '/operator/budgets': operator(
    'Budgets',
    async () => (await import('../features/budgets/operator-budgets-page.tsx')).OperatorBudgetsPage,
  ),
  '/billing': member(
    'Billing',
    async () => (await import('../features/billing/billing-page.tsx')).BillingPage,
  ),
  '/batches': member(
    'Batches',
    async () => (await import('../features/batches/batches-page.tsx')).BatchesPage,
  ),
  '/batches/{id}': member(
    'Batch',
    async () => (await import('../features/batches/batch-page.tsx')).BatchPage,
  ),
  '/responses': member(
    'Stored responses',
    async () => (await import('../features/responses/responses-page.tsx')).ResponsesPage,
  ),
  '/responses/{id}': member(
    'Stored response',
    async () => (await import('../features/responses/response-page.tsx')).ResponsePage,
  ),
  '/usage': member('Usage', async () => (await import('../features/usage/usage-page.tsx')).UsagePage),
  '/requests': member(
    'Requests',
    async () => (await import('../features/requests/requests-page.tsx')).RequestsPage,
  ),
  '/requests/{id}': member(
    'Request',
    async () => (await import('../features/requests/request-page.tsx')).RequestPage,
  ),
  '/keys': member('Keys', async () => (await import('../features/keys/keys-page.tsx')).KeysPage),
  '/models': member('Models', async () => (await import('../features/models/models-page.tsx')).ModelsPage),
  '/models/{id*}': member('Model', async () => (await import('../features/models/model-page.tsx')).ModelPage),
  '/operator': operator(
    'Operations',
    async () => (await import('../features/operator/overview-page.tsx')).OverviewPage,
  ),
  '/operator/accounts': operator(
    'Accounts',
    async () => (await import('../features/operator/accounts-page.tsx')).AccountsPage,
  ),
  '/operator/accounts/{id}': operator(
    'Account',
    async () => (await import('../features/operator/account-page.tsx')).AccountPage,
  ),
  '/operator/people': operator(
    'People',
    async () => (await import('../features/people/people-page.tsx')).PeoplePage,
  ),
  '/operator/people/{id}': operator(
    'Person',
    async () => (await import('../features/people/person-page.tsx')).PersonPage,
  ),
  '/operator/traffic': operator(
    'Traffic',
    async () => (await import('../features/operator/traffic-page.tsx')).TrafficPage,
  ),
  '/operator/requests': operator(
    'All requests',
    async () => (await import('../features/operator/requests-page.tsx')).RequestsPage,
  ),
  '/operator/requests/{id}': operator(
    'Request',
    async () => (await import('../features/operator/request-page.tsx')).RequestPage,
  ),
  '/operator/providers': operator(
    'Providers',
    async () => (await import('../features/operator/providers-page.tsx')).ProvidersPage,
  ),
  '/operator/providers/new': operator(
    'Add provider',
    async () => (await import('../features/operator/new-provider-page.tsx')).NewProviderPage,
  ),
  '/operator/providers/{id}': operator(
    'Provider',
    async () => (await import('../features/operator/provider-page.tsx')).ProviderPage,
  ),
  '/operator/models': operator(
    'All models',
    async () => (await import('../features/operator/models-page.tsx')).ModelsPage,
  ),
  '/operator/models/{id*}': operator(
    'Model',
    async () => (await import('../features/operator/model-page.tsx')).ModelPage,
  ),
  '/operator/queue': operator(
    'Queue',
    async () => (await import('../features/operator/queue-page.tsx')).QueuePage,
  ),
  '/operator/catalog': operator(
    'Catalog',
    async () => (await import('../features/operator/catalog-page.tsx')).CatalogPage,
  ),
  '/operator/audit': operator(
    'Audit log',
    async () => (await import('../features/operator/audit-page.tsx')).AuditPage,
  ),
  '/operator/ledger': operator(
    'Ledger',
    async () => (await import('../features/operator/ledger-page.tsx')).LedgerPage,
  ),
  '/operator/nodes': operator(
    'Nodes',
    async () => (await import('../features/operator/nodes-page.tsx')).NodesPage,
  ),
  '/operator/status': operator(
    'Status',
    async () => (await import('../features/operator/status-page.tsx')).StatusPage,
  ),
};

export const pages: readonly Page[] = entriesOf(rows).map(([path, row]) => ({ path, ...row }));

/** Loads the dialog that asks for a sign-in above a page. */
export const loadSignInDialog = async () =>
  (await import('../features/sign-in/sign-in-dialog.tsx')).SignInDialog;

/** Loads the dialog that asks a signed-in person to sign in again before a change. */
export const loadConfirmSignInDialog = async () =>
  (await import('../features/sign-in/confirm-sign-in-dialog.tsx')).ConfirmSignInDialog;

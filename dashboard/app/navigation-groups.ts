import type { PagePath } from '../../src/console/site/page-paths.ts';
import type { IconName } from '../components/icon.tsx';

/** An entry of the navigation. */
export type NavigationEntry = { href: PagePath; label: string; icon: IconName };

export type NavigationGroup = {
  id: string;
  /** A group without a label cannot be folded. */
  label?: string;
  entries: readonly NavigationEntry[];
};

/** The pages of an organization. */
export const memberGroups: readonly NavigationGroup[] = [
  { id: 'start', entries: [{ href: '/', label: 'Overview', icon: 'overview' }] },
  {
    id: 'build',
    label: 'Build',
    entries: [
      { href: '/keys', label: 'Keys', icon: 'key' },
      { href: '/models', label: 'Models', icon: 'models' },
      { href: '/playground', label: 'Playground', icon: 'playground' },
      { href: '/batches', label: 'Batches', icon: 'batches' },
      { href: '/responses', label: 'Stored responses', icon: 'responses' },
    ],
  },
  {
    id: 'activity',
    label: 'Activity',
    entries: [
      { href: '/usage', label: 'Usage', icon: 'usage' },
      { href: '/requests', label: 'Requests', icon: 'requests' },
    ],
  },
  {
    id: 'organization',
    label: 'Team and money',
    entries: [
      { href: '/organization', label: 'Organization', icon: 'organization' },
      { href: '/budgets', label: 'Budgets', icon: 'budgets' },
      { href: '/billing', label: 'Billing', icon: 'billing' },
    ],
  },
];

/** The pages of the whole installation. */
export const operatorGroups: readonly NavigationGroup[] = [
  {
    id: 'operations',
    label: 'Operations',
    entries: [
      { href: '/operator', label: 'Operations', icon: 'operations' },
      { href: '/operator/traffic', label: 'Traffic', icon: 'traffic' },
      { href: '/operator/requests', label: 'All requests', icon: 'allRequests' },
      { href: '/operator/queue', label: 'Queue', icon: 'queue' },
      { href: '/operator/status', label: 'Status', icon: 'status' },
    ],
  },
  {
    id: 'supply',
    label: 'Providers and models',
    entries: [
      { href: '/operator/providers', label: 'Providers', icon: 'providers' },
      { href: '/operator/models', label: 'All models', icon: 'allModels' },
      { href: '/operator/catalog', label: 'Catalog', icon: 'catalog' },
    ],
  },
  {
    id: 'customers',
    label: 'Customers',
    entries: [
      { href: '/operator/accounts', label: 'Accounts', icon: 'accounts' },
      { href: '/operator/people', label: 'People', icon: 'people' },
      { href: '/operator/budgets', label: 'All budgets', icon: 'allBudgets' },
      { href: '/operator/ledger', label: 'Ledger', icon: 'ledger' },
    ],
  },
  {
    id: 'installation',
    label: 'Installation',
    entries: [
      { href: '/operator/nodes', label: 'Nodes', icon: 'nodes' },
      { href: '/operator/audit', label: 'Audit log', icon: 'audit' },
    ],
  },
];

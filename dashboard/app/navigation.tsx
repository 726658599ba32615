import { useEffect, useRef } from 'preact/hooks';
import { Icon, type IconName } from '../components/icon.tsx';
import { path } from './address.ts';
import { findPage } from './find-page.ts';
import { operatorRole } from './session.ts';

type Entry = { href: string; label: string; icon: IconName };

const forMembers: readonly Entry[] = [
  { href: '/', label: 'Overview', icon: 'overview' },
  { href: '/keys', label: 'Keys', icon: 'key' },
  { href: '/usage', label: 'Usage', icon: 'usage' },
  { href: '/requests', label: 'Requests', icon: 'requests' },
  { href: '/models', label: 'Models', icon: 'models' },
  { href: '/playground', label: 'Playground', icon: 'playground' },
  { href: '/batches', label: 'Batches', icon: 'batches' },
  { href: '/responses', label: 'Stored responses', icon: 'responses' },
  { href: '/billing', label: 'Billing', icon: 'billing' },
  { href: '/organization', label: 'Organization', icon: 'organization' },
];

const forOperators: readonly Entry[] = [
  { href: '/operator', label: 'Operations', icon: 'overview' },
  { href: '/operator/accounts', label: 'Accounts', icon: 'organization' },
  { href: '/operator/people', label: 'People', icon: 'person' },
  { href: '/operator/traffic', label: 'Traffic', icon: 'usage' },
  { href: '/operator/requests', label: 'All requests', icon: 'requests' },
  { href: '/operator/providers', label: 'Providers', icon: 'models' },
  { href: '/operator/queue', label: 'Queue', icon: 'batches' },
  { href: '/operator/catalog', label: 'Catalog', icon: 'responses' },
  { href: '/operator/audit', label: 'Audit log', icon: 'key' },
  { href: '/operator/ledger', label: 'Ledger', icon: 'billing' },
  { href: '/operator/nodes', label: 'Nodes', icon: 'usage' },
  { href: '/operator/status', label: 'Status', icon: 'playground' },
];

/** Reports whether an entry is that of the current page, or of the part of the dashboard around it. */
const isCurrent = (href: string): boolean =>
  path.value === href || (href !== '/' && href !== '/operator' && path.value.startsWith(`${href}/`));

export function Navigation() {
  const nav = useRef<HTMLElement>(null);
  const current = path.value;
  // The list of an operator is longer than many screens.
  useEffect(
    () => nav.current?.querySelector('[aria-current]')?.scrollIntoView({ block: 'nearest' }),
    [current],
  );
  return (
    <nav ref={nav} class="navigation" aria-label="Pages">
      <Entries entries={forMembers} />
      {operatorRole.value && forOperators.some(({ href }) => findPage(href)) && (
        <>
          <h2 id="operator-pages">Operator</h2>
          <Entries entries={forOperators} labelledBy="operator-pages" />
        </>
      )}
    </nav>
  );
}

const Entries = ({ entries, labelledBy }: { entries: readonly Entry[]; labelledBy?: string }) => (
  <ul aria-labelledby={labelledBy}>
    {entries
      .filter(({ href }) => findPage(href))
      .map(({ href, label, icon }) => (
        <li key={href}>
          <a href={href} aria-current={isCurrent(href) ? 'page' : undefined}>
            <Icon name={icon} />
            {label}
          </a>
        </li>
      ))}
  </ul>
);

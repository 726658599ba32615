import type { IconName } from '../components/icon.tsx';
import { navigate } from './address.ts';
import { withBase } from './base-path.ts';
import { memberGroups, type NavigationGroup, operatorGroups } from './navigation-groups.ts';
import { chooseOrganization, operatorRole, organization, organizations } from './session.ts';

/** Something that the palette can open. */
export type PaletteChoice = { id: string; label: string; hint: string; icon: IconName; open: () => void };

/** Ids of requests and of answers. A request is found by either. */
const REQUEST_ID = /^(req|msg|resp|chatcmpl|cmpl|gen|batch_req)[_-][\w-]+$/;

const pageChoices = (groups: readonly NavigationGroup[], hint: string): PaletteChoice[] =>
  groups.flatMap(({ entries, label: group }) =>
    entries.map(({ href, label, icon }) => ({
      id: href,
      label,
      icon,
      hint: group === undefined ? hint : `${hint} · ${group}`,
      open: () => navigate(href),
    })),
  );

/** Lists everything that is known without asking the server. */
const allChoices = (): PaletteChoice[] => [
  ...pageChoices(memberGroups, 'Page'),
  ...(operatorRole.value ? pageChoices(operatorGroups, 'Operator') : []),
  { id: '/account', label: 'Your account', hint: 'Page', icon: 'person', open: () => navigate('/account') },
  {
    id: '/docs',
    label: 'Documentation',
    hint: 'Page',
    icon: 'info',
    open: () => location.assign(withBase('/docs')),
  },
  ...organizations.value
    .filter(({ id }) => id !== organization.value?.id)
    .map(({ id, name }) => ({
      id,
      label: name,
      hint: 'Switch to this organization',
      icon: 'organization' as const,
      open: () => chooseOrganization(id),
    })),
];

function requestChoices(text: string): PaletteChoice[] {
  if (!REQUEST_ID.test(text)) return [];
  const choice = (href: string, hint: string): PaletteChoice => ({
    id: href,
    label: text,
    hint,
    icon: 'requests',
    open: () => navigate(href),
  });
  const id = encodeURIComponent(text);
  return [
    ...(operatorRole.value
      ? [choice(`/operator/requests/${id}`, 'Request, with its calls to providers')]
      : []),
    ...(organization.value ? [choice(`/requests/${id}`, 'Request of this organization')] : []),
  ];
}

/** Lists the choices that fit a text. The server finds further ones. */
export function choicesFor(text: string): PaletteChoice[] {
  const words = text.toLowerCase().split(/\s+/);
  const fits = ({ label, hint }: PaletteChoice) =>
    words.every((word) => `${label} ${hint}`.toLowerCase().includes(word));
  const starts = ({ label }: PaletteChoice) => Number(!label.toLowerCase().startsWith(text.toLowerCase()));
  const fitting = allChoices().filter(fits);
  return [...requestChoices(text), ...fitting.toSorted((a, b) => starts(a) - starts(b))];
}

/** An account that the server found. */
export const accountChoice = ({ id, name }: { id: string; name: string }): PaletteChoice => ({
  // The account of an organization of the person is a choice of its own.
  id: `account ${id}`,
  label: name,
  hint: `Account · ${id}`,
  icon: 'accounts',
  open: () => navigate(`/operator/accounts/${encodeURIComponent(id)}`),
});

import { useId, useLayoutEffect, useRef } from 'preact/hooks';
import { Icon } from '../components/icon.tsx';
import { path } from './address.ts';
import { isFolded, setFolded } from './folded-groups.ts';
import {
  memberGroups,
  type NavigationEntry,
  type NavigationGroup,
  operatorGroups,
} from './navigation-groups.ts';
import { operatorRole } from './session.ts';

/** Reports whether an entry leads to the current page, or to the part of the dashboard around that page. */
const isCurrent = ({ href }: NavigationEntry): boolean =>
  path.value === href || (href !== '/' && href !== '/operator' && path.value.startsWith(`${href}/`));

/** The links to all pages that the person may open. The group of the current page is unfolded. */
export function Navigation() {
  const nav = useRef<HTMLElement>(null);
  const current = path.value;
  const role = operatorRole.value;
  const around = [...memberGroups, ...operatorGroups].find(({ entries }) => entries.some(isCurrent));
  const isCurrentFolded = around !== undefined && isFolded(around.id);
  useLayoutEffect(() => {
    if (around) setFolded(around.id, false);
  }, [current]);
  // The list of an operator is longer than many screens, and comes with the session.
  useLayoutEffect(
    () => nav.current?.querySelector('[aria-current]')?.scrollIntoView({ block: 'nearest' }),
    [current, isCurrentFolded, role],
  );
  return (
    <nav ref={nav} class="navigation" aria-label="Pages">
      {memberGroups.map((group) => (
        <Group key={group.id} group={group} />
      ))}
      {role && (
        <>
          <h2>Operator</h2>
          {operatorGroups.map((group) => (
            <Group key={group.id} group={group} />
          ))}
        </>
      )}
    </nav>
  );
}

/** Some entries under a button that folds them. */
function Group({ group: { id, label, entries } }: { group: NavigationGroup }) {
  const list = useId();
  const isHidden = label !== undefined && isFolded(id);
  return (
    <>
      {label !== undefined && (
        <button
          type="button"
          class="group"
          aria-expanded={!isHidden}
          aria-controls={list}
          onClick={() => setFolded(id, !isHidden)}
        >
          {label}
          <Icon name={isHidden ? 'right' : 'down'} />
        </button>
      )}
      <ul id={list} hidden={isHidden}>
        {entries.map((entry) => (
          <li key={entry.href}>
            <a href={entry.href} aria-current={isCurrent(entry) ? 'page' : undefined}>
              <Icon name={entry.icon} />
              {entry.label}
            </a>
          </li>
        ))}
      </ul>
    </>
  );
}

import type { AuditRow } from './rows.ts';

/** The names of this many members are shown before the disclosure is opened. */
const MAX_NAMES = 3;

/** The members that an entry has changed. Their values stand behind a disclosure. */
export function AuditChange({ row: { before, after, changes } }: { row: AuditRow }) {
  const old = membersOf(before);
  const now = membersOf(after);
  const names = [...new Set([...Object.keys(old), ...Object.keys(now)])].filter(
    (name) => JSON.stringify(old[name]) !== JSON.stringify(now[name]),
  );
  if (names.length === 0)
    return <span class="soft">{changes > 1 ? `none after ${changes} changes` : 'none'}</span>;
  return (
    <details>
      <summary>
        {names.slice(0, MAX_NAMES).join(', ')}
        {names.length > MAX_NAMES && ` and ${names.length - MAX_NAMES} more`}
        {changes > 1 && ` (${changes} changes)`}
      </summary>
      <dl class="facts">
        {names.map((name) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>
              {name in old && (
                <>
                  <del>{textOf(old[name])}</del>{' '}
                </>
              )}
              {name in now && <ins>{textOf(now[name])}</ins>}
            </dd>
          </div>
        ))}
      </dl>
    </details>
  );
}

/** Returns the members of a value. A value other than an object is one member. */
function membersOf(value: unknown): Record<string, unknown> {
  if (value == null) return {};
  return typeof value === 'object' ? (value as Record<string, unknown>) : { value };
}

const textOf = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value));

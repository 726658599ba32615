import { useState } from 'preact/hooks';
import type { ListedKey } from '../../../src/console/dashboard/key-schema.ts';
import type { MembersView } from '../../../src/console/dashboard/organization-schema.ts';
import { hasRole, inOrganization, person } from '../../app/session.ts';
import { type Query, useQuery } from '../../app/use-query.ts';
import { Select } from '../../components/select.tsx';
import { TagsInput } from '../../components/tags-input.tsx';
import { KEEP_OWNER } from './key-body.ts';

type Member = MembersView['data'][number];

const useMembers = (): Query<MembersView> => useQuery<MembersView>(inOrganization('/members'));

const nameOf = ({ name, email }: Member): string => name || email;

/**
 * Reports whether the person may get a new secret of the key.
 * The secret of a member's key is for that member and for owners.
 */
export const mayRotate = ({ person_id: id }: ListedKey): boolean =>
  hasRole('owner') || (hasRole('developer') && (id === null || id === person.value?.id));

/**
 * The owner of a key, which only owners of the organization choose, and the tags of its requests. Budgets
 * limit what each of them spends.
 */
export function KeyOwner({ of: key }: { of: ListedKey | undefined }) {
  const mayChoose = hasRole('owner');
  const members = useMembers().data?.data;
  const isOpen = key !== undefined && (key.person_id !== null || key.tags.length > 0);
  return (
    <details class="more" open={isOpen ? true : undefined}>
      <summary>{mayChoose ? 'Member and tags' : 'Tags'}</summary>
      <div class="stack">
        {mayChoose && members && <MemberSelect of={key} members={members} />}
        <TagsInput tags={key?.tags} />
      </div>
    </details>
  );
}

/** Without the list of members, the key stays with the person that it belongs to. */
function MemberSelect({ of: key, members }: { of: ListedKey | undefined; members: readonly Member[] }) {
  const [choice, setChoice] = useState(
    key ? (key.person_id ?? '') : members.find(({ is_you }) => is_you)?.id,
  );
  const isGone = key?.person_id && !members.some(({ id }) => id === key.person_id);
  return (
    <Select
      name="person_id"
      label="Belongs to"
      isRequired={false}
      value={isGone && choice === key.person_id ? KEEP_OWNER : (choice ?? '')}
      onChange={setChoice}
      options={[
        { value: '', label: 'Nobody' },
        ...(isGone ? [{ value: KEEP_OWNER, label: 'A former member' }] : []),
        ...members.map((member) => ({ value: member.id, label: nameOf(member) })),
      ]}
    />
  );
}

/** The name of the member that a key belongs to. */
export function OwnerName({ of: { person_id: id } }: { of: ListedKey }) {
  const members = useMembers().data?.data;
  if (id === null) return <>Nobody</>;
  if (members === undefined) return <code>{id}</code>;
  const member = members.find((one) => one.id === id);
  return <>{member ? nameOf(member) : 'A former member'}</>;
}

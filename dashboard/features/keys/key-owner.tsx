import { useState } from 'preact/hooks';
import type { ListedKey } from '../../../src/console/dashboard/key-schema.ts';
import { hasRole } from '../../app/session.ts';
import { Select } from '../../components/select.tsx';
import { TagsInput } from '../../components/tags-input.tsx';
import { KEEP_OWNER } from './key-body.ts';
import { type Member, memberName, useMembers } from './members.ts';

const NOBODY = '';

/**
 * The owner of a key, which only owners of the organization choose, and the tags of its requests. Budgets
 * limit what each of them spends.
 */
export function KeyOwner({ apiKey: key }: { apiKey: ListedKey | undefined }) {
  const mayChoose = hasRole('owner');
  const members = useMembers();
  const isOpen = key !== undefined && (key.person_id !== null || key.tags.length > 0);
  return (
    <details class="more" open={isOpen ? true : undefined}>
      <summary>{mayChoose ? 'Member and tags' : 'Tags'}</summary>
      <div class="stack">
        {mayChoose && members && <MemberSelect apiKey={key} members={members} />}
        <TagsInput tags={key?.tags} />
      </div>
    </details>
  );
}

/** Selects the owner. A new key belongs to the person who makes it. */
function MemberSelect({
  apiKey: key,
  members,
}: {
  apiKey: ListedKey | undefined;
  members: readonly Member[];
}) {
  const owner = key ? key.person_id : members.find(({ is_you }) => is_you)?.id;
  const [choice, setChoice] = useState(owner ?? NOBODY);
  // A former member can keep the key, and cannot be given one.
  const formerOwner =
    key?.person_id && !members.some(({ id }) => id === key.person_id) ? key.person_id : null;
  return (
    <Select
      name="person_id"
      label="Belongs to"
      isRequired={false}
      value={choice === formerOwner ? KEEP_OWNER : choice}
      onChange={setChoice}
      options={[
        { value: NOBODY, label: 'Nobody' },
        ...(formerOwner === null ? [] : [{ value: KEEP_OWNER, label: 'A former member' }]),
        ...members.map((member) => ({ value: member.id, label: memberName(member) })),
      ]}
    />
  );
}

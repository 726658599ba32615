import type { ListedKey } from '../../../src/console/dashboard/key-schema.ts';
import { memberName, useMembers } from './members.ts';

/** Shows the name of the member that a key belongs to. */
export function OwnerName({ apiKey: { person_id: id } }: { apiKey: ListedKey }) {
  const members = useMembers();
  if (id === null) return <>Nobody</>;
  if (members === undefined) return <code>{id}</code>;
  const owner = members.find((member) => member.id === id);
  return <>{owner ? memberName(owner) : 'A former member'}</>;
}

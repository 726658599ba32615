import type { ListedKey } from '../../../src/console/dashboard/key-schema.ts';
import { hasRole, person } from '../../app/session.ts';

/**
 * Reports whether the person may get a new secret of the key.
 * The secret of a member's key is for that member and for owners.
 */
export const mayRotate = ({ person_id: id }: ListedKey): boolean =>
  hasRole('owner') || (hasRole('developer') && (id === null || id === person.value?.id));

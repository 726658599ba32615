import type { ListedKey } from '../../../src/console/dashboard/key-schema.ts';
import { Status, type Tone } from '../../components/badge.tsx';
import { formatDateTime } from '../../components/format-time.ts';

type State = ListedKey['state'];

const tones: Readonly<Record<State, Tone>> = {
  active: 'good',
  rotating: 'accent',
  expired: 'warning',
  revoked: 'bad',
};

const words: Readonly<Record<State, (key: ListedKey) => string>> = {
  active: () => 'Active',
  rotating: ({ previous_secret_ends_at }) => `Rotating until ${formatDateTime(previous_secret_ends_at)}`,
  expired: () => 'Expired',
  revoked: () => 'Revoked',
};

/** The state of a key. That of a rotating one has the end of the replaced secret. */
export const KeyState = ({ apiKey: key }: { apiKey: ListedKey }) => (
  <Status tone={tones[key.state]}>{words[key.state](key)}</Status>
);

/** Reports whether a key is refused for good. */
export const hasEnded = ({ state }: ListedKey): boolean => state === 'expired' || state === 'revoked';

/** Returns the name of a key, or the first characters of a key without a name. */
export const nameOf = ({ name, hint }: ListedKey): string => name ?? `${hint}…`;

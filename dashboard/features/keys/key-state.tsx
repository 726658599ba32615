import type { ListedKey } from '../../../src/console/dashboard/key-schema.ts';
import { Status, type Tone } from '../../components/badge.tsx';
import { formatDateTime } from '../../components/format-time.ts';

type State = ListedKey['state'];

const tones: Record<State, Tone> = {
  active: 'good',
  rotating: 'accent',
  expired: 'warning',
  revoked: 'bad',
};

const words: Record<State, (key: ListedKey) => string> = {
  active: () => 'Active',
  rotating: ({ previous_secret_ends_at }) => `Rotating until ${formatDateTime(previous_secret_ends_at)}`,
  expired: () => 'Expired',
  revoked: () => 'Revoked',
};

export const KeyState = ({ of: key }: { of: ListedKey }) => (
  <Status tone={tones[key.state]}>{words[key.state](key)}</Status>
);

export const hasEnded = ({ state }: ListedKey): boolean => state === 'expired' || state === 'revoked';

export const nameOf = ({ name, hint }: ListedKey): string => name ?? `${hint}…`;

import { Status, type Tone } from '../../components/badge.tsx';
import type { AccountRow, AlertRow, Finding, ProviderRow } from './rows.ts';

type State =
  | AccountRow['status']
  | AlertRow['deliveries'][number]['state']
  | Finding['status']
  | ProviderRow['health']
  | ProviderRow['targets'][number]['circuit']
  | 'expired'
  | 'revoked';

const tones: Readonly<Record<State, Tone>> = {
  up: 'good',
  ok: 'good',
  active: 'good',
  delivered: 'good',
  // A circuit. Accounts and nodes that are closed have a status of their own.
  closed: 'good',
  faulty: 'warning',
  degraded: 'warning',
  warn: 'warning',
  suspended: 'warning',
  waiting: 'warning',
  'half-open': 'warning',
  down: 'bad',
  fail: 'bad',
  open: 'bad',
  dropped: 'bad',
  revoked: 'bad',
  drained: 'neutral',
  'not-set-up': 'neutral',
  expired: 'neutral',
};

/** The state of a provider, a circuit, a key, a check or a delivery. */
export const HealthStatus = ({ state }: { state: State }) => <Status tone={tones[state]}>{state}</Status>;

/** The state of an account or a node, which ends when it is closed. */
export const GoneStatus = ({ state }: { state: AccountRow['status'] }) => (
  <Status tone={state === 'closed' ? 'bad' : tones[state]}>{state}</Status>
);

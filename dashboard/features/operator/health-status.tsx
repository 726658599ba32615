import { lookUp } from '../../../src/base/lib/records.ts';
import { Status, type Tone } from '../../components/badge.tsx';

const tones: Readonly<Record<string, Tone>> = {
  up: 'good',
  ok: 'good',
  active: 'good',
  delivered: 'good',
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
};

/** The state of a provider, an account, a check or a delivery. */
export const HealthStatus = ({
  state,
  tone = lookUp(tones, state),
}: {
  state: string;
  tone?: Tone | undefined;
}) => <Status tone={tone ?? 'neutral'}>{state.replaceAll('_', ' ')}</Status>;

/** A closed circuit is healthy. A closed account or node has ended. */
export const GoneStatus = ({ state }: { state: string }) => (
  <HealthStatus state={state} tone={state === 'closed' ? 'bad' : undefined} />
);

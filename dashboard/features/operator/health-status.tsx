import { Status, type Tone } from '../../components/badge.tsx';

const tones: Readonly<Record<string, Tone>> = {
  ...{ up: 'good', ok: 'good', active: 'good', delivered: 'good', closed: 'good' },
  ...{
    degraded: 'warning',
    warn: 'warning',
    suspended: 'warning',
    waiting: 'warning',
    'half-open': 'warning',
  },
  ...{ down: 'bad', fail: 'bad', open: 'bad', dropped: 'bad' },
};

/** The state of a provider, an account, a check or a delivery. */
export const HealthStatus = ({ state }: { state: string }) => (
  <Status tone={tones[state] ?? 'neutral'}>{state.replaceAll('_', ' ')}</Status>
);

import type { WelcomeView } from '../../src/console/dashboard/welcome-view.ts';
import { operatorRole } from './session.ts';
import { useQuery } from './use-query.ts';

/** Says on every page that answers are simulated, while all of them are. */
export function SimulatedStatus() {
  const { data } = useQuery<WelcomeView>('/welcome', { pollMs: 30_000 });
  if (!data || data.simulated_models === 0 || data.simulated_models < data.models) return null;
  return (
    <div class="notice warning" role="status" aria-label="Simulated answers">
      <div class="notice-text">
        Answers are simulated, since no provider is set up.{' '}
        {operatorRole.value && <a href="/operator/providers/new">Add a provider</a>}
      </div>
    </div>
  );
}

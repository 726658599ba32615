import type { Provider } from '../../settings/hosts/providers.ts';
import type { ProviderActivityView } from '../../upstream/calling/provider-activity-view.ts';
import type { ProviderFault } from '../../upstream/calling/provider-fault.ts';
import { type PlanClass, planClasses } from '../../upstream/capacity/plan-class.ts';
import type { CircuitState } from '../../upstream/routing/circuit.ts';
import type { Metric } from './metric.ts';
import { ReadMetric } from './read-metric.ts';

export type ProviderSources = {
  /** Returns the providers of the current configuration. */
  providers(): Iterable<Provider>;
  activity: {
    counts(providerId: string): Pick<ProviderActivityView, 'requestsTotal' | 'errorsTotal'>;
    isKeyRefused(providerId: string): boolean;
    faultOf(providerId: string): Pick<ProviderFault, 'cause'> | null;
    isDrained(providerId: string): boolean;
  };
  capacity: {
    inUse(providerId: string): number;
    waitingFor(providerId: string, planClass: PlanClass): number;
  };
  routing: { targetsOf(providerId: string): readonly { model: string; circuit: CircuitState }[] };
};

const circuitStates: readonly CircuitState[] = ['closed', 'half-open', 'open'];

type Row = {
  name: string;
  help: string;
  type?: 'counter';
  /** Returns the value, or undefined for a provider without it. */
  read: (provider: Provider, sources: ProviderSources) => number | undefined;
};

/** The metrics with one value for each provider. */
const rows: readonly Row[] = [
  {
    name: 'tollgate_provider_slots_in_use',
    help: 'Requests under way at the provider.',
    read: ({ id }, { capacity }) => capacity.inUse(id),
  },
  {
    name: 'tollgate_provider_slots',
    help: 'Slots of the provider (max_concurrent). Absent for a provider without a limit.',
    read: ({ maxConcurrent }) => maxConcurrent ?? undefined,
  },
  {
    name: 'tollgate_provider_attempts_total',
    help: 'Calls to the provider. A request that is retried makes several.',
    type: 'counter',
    read: ({ id }, { activity }) => activity.counts(id).requestsTotal,
  },
  {
    name: 'tollgate_provider_errors_total',
    help: 'Calls to the provider that failed through its fault.',
    type: 'counter',
    read: ({ id }, { activity }) => activity.counts(id).errorsTotal,
  },
  {
    name: 'tollgate_provider_key_refused',
    help: '1 while the provider refuses its API key.',
    read: ({ id }, { activity }) => Number(activity.isKeyRefused(id)),
  },
  {
    name: 'tollgate_provider_out_of_credit',
    help: '1 while the account at the provider has no credit left.',
    read: ({ id }, { activity }) => Number(activity.faultOf(id)?.cause === 'out_of_credit'),
  },
  {
    name: 'tollgate_provider_drained',
    help: '1 while an operator keeps the provider out of routing.',
    read: ({ id }, { activity }) => Number(activity.isDrained(id)),
  },
];

/** The metrics of providers: slots, queues, circuit breakers, refused keys, missing credit. */
export const providerMetrics = (sources: ProviderSources): Metric[] => [
  ...rows.map(
    ({ name, help, type, read }) =>
      new ReadMetric(
        { name, help, labels: ['provider'] },
        () =>
          [...sources.providers()].flatMap((provider) => {
            const value = read(provider, sources);
            return value === undefined ? [] : [[[provider.id], value] as const];
          }),
        type,
      ),
  ),
  new ReadMetric(
    {
      name: 'tollgate_provider_queue_length',
      help: 'Requests queued for the provider. A request with several suitable providers counts at each of them.',
      labels: ['provider', 'class'],
    },
    () =>
      [...sources.providers()].flatMap(({ id }) =>
        planClasses.map(
          (planClass) => [[id, planClass], sources.capacity.waitingFor(id, planClass)] as const,
        ),
      ),
  ),
  new ReadMetric(
    {
      name: 'tollgate_breaker_state',
      help: "1 for the current state of a target's circuit breaker, else 0. The model has the provider's name for it.",
      labels: ['provider', 'model', 'state'],
    },
    () =>
      [...sources.providers()].flatMap(({ id }) =>
        sources.routing
          .targetsOf(id)
          .flatMap(({ model, circuit }) =>
            circuitStates.map((state) => [[id, model, state], Number(state === circuit)] as const),
          ),
      ),
  ),
];

import type { ProviderView } from '../../../src/console/admin/provider-view.ts';
import type { WelcomeView } from '../../../src/console/dashboard/welcome-schema.ts';
import { useQuery } from '../../app/use-query.ts';
import { LinkButton } from '../../components/button.tsx';
import { Section } from '../../components/section.tsx';
import { KeyStep, RequestStep } from './first-steps.tsx';
import { hasLiveModel } from './setup-progress.ts';
import { Step } from './step.tsx';

type Props = { hasKey: boolean; welcome: WelcomeView };

/** The way of an operator from simulated answers to the first answer of a provider. */
export function OperatorSteps({ hasKey, welcome }: Props) {
  const providers = useQuery<{ data: ProviderView[] }>('/operator/providers', { pollMs: 5_000 });
  const hasProvider = providers.data?.data.some(({ mode }) => mode === 'live') ?? false;
  return (
    <Section
      title="First steps"
      lead="Four steps lead from simulated answers to the first answer of a provider."
      isCard
    >
      <ol class="steps">
        <Step isDone={hasProvider} title="Set up a provider">
          <p>Choose a provider and paste its key. A test call shows that it answers.</p>
          <LinkButton href={hasProvider ? '/operator/providers' : '/operator/providers/new'}>
            {hasProvider ? 'See the providers' : 'Add a provider'}
          </LinkButton>
        </Step>
        <Step isDone={hasLiveModel(welcome)} title="Choose its models">
          <p>The default catalog has the models of the built-in providers. Add others with a price.</p>
          <LinkButton href="/operator/models">See the models</LinkButton>
        </Step>
        <KeyStep hasKey={hasKey} />
        <RequestStep welcome={welcome} />
      </ol>
    </Section>
  );
}

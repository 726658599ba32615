import type { AdminAnswer } from '../../../src/console/admin/admin-calls.ts';
import type { WelcomeView } from '../../../src/console/dashboard/welcome-view.ts';
import { useQuery } from '../../app/use-query.ts';
import { LinkButton } from '../../components/button.tsx';
import { Section } from '../../components/section.tsx';
import { KeyStep } from './key-step.tsx';
import { RequestStep } from './request-step.tsx';
import { Step } from './step.tsx';

export type Setup = AdminAnswer<'GET /setup'>;

type Props = { hasKey: boolean; setup: Setup };

/** The way of an operator from simulated answers to the first answer of a provider. */
export function OperatorSteps({ hasKey, setup }: Props) {
  const { data: welcome } = useQuery<WelcomeView>('/welcome');
  const hasProvider = setup.live_providers > 0;
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
        <Step isDone={setup.live_models > 0} title="Choose its models">
          <p>The default catalog has the models of the built-in providers. Add others with a price.</p>
          <LinkButton href="/operator/models">See the models</LinkButton>
        </Step>
        <KeyStep hasKey={hasKey} />
        <RequestStep welcome={welcome} />
      </ol>
    </Section>
  );
}

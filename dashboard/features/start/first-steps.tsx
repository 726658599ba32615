import type { WelcomeView } from '../../../src/console/dashboard/welcome-view.ts';
import { useQuery } from '../../app/use-query.ts';
import { LinkButton } from '../../components/button.tsx';
import { Section } from '../../components/section.tsx';
import { KeyStep } from './key-step.tsx';
import { RequestStep } from './request-step.tsx';
import { Step } from './step.tsx';

/** Shows a new organization its first steps, until its first request. */
export function FirstSteps({ hasKey }: { hasKey: boolean }) {
  const { data } = useQuery<WelcomeView>('/welcome');
  return (
    <Section title="First steps" isCard>
      <ol class="steps">
        <KeyStep hasKey={hasKey} />
        <RequestStep welcome={data} />
        <Step isDone={false} title="See what it cost">
          <p>Every request has a receipt with its tokens, its prices and the time to its first token.</p>
          <LinkButton href="/requests">See the requests</LinkButton>
        </Step>
      </ol>
    </Section>
  );
}

import { keysOf } from '../../../src/base/lib/records.ts';
import { navigate } from '../../app/address.ts';
import { call } from '../../app/call.ts';
import { ConfirmButton } from '../../components/confirm-button.tsx';
import { Section } from '../../components/section.tsx';
import type { PersonPart } from './person-part.ts';

const steps = {
  sessions: {
    label: 'End all sessions',
    text: 'The person must sign in again in every browser.',
    path: '/sessions',
    done: 'All sessions have ended.',
  },
  factor: {
    label: 'Remove the second factor',
    text: 'The password alone then signs the person in. All sessions end.',
    path: '/second-factor',
    done: 'The second factor is removed.',
  },
  remove: {
    label: 'Remove the person',
    text: 'The person can no longer sign in. Accounts and keys stay.',
    path: '',
    done: 'The person is removed.',
  },
} as const;

type Step = keyof typeof steps;

/** The actions that cannot be undone. */
export function PersonActions({ path, person, onChanged }: PersonPart) {
  const isOffered = (step: Step) =>
    step === 'remove' || (step === 'factor' ? person.two_factor : person.sessions > 0);
  return (
    <Section title="End access" isCard>
      <div class="actions">
        {keysOf(steps)
          .filter(isOffered)
          .map((step) => (
            <ConfirmButton
              key={step}
              label={steps[step].label}
              kind={step === 'remove' ? 'danger' : 'secondary'}
              title={`${steps[step].label}?`}
              typed={step === 'remove' ? person.email : undefined}
              done={steps[step].done}
              onConfirm={async () => {
                await call('DELETE', `${path}${steps[step].path}`);
                if (step === 'remove') navigate('/operator/people');
                else await onChanged();
              }}
            >
              <p>{steps[step].text}</p>
            </ConfirmButton>
          ))}
      </div>
    </Section>
  );
}

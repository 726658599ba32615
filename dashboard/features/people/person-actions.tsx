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
  const isOffered = (one: Step) =>
    one === 'remove' || (one === 'factor' ? person.two_factor : person.sessions > 0);
  return (
    <Section title="End access" isCard>
      <div class="actions">
        {keysOf(steps)
          .filter(isOffered)
          .map((one) => (
            <ConfirmButton
              key={one}
              label={steps[one].label}
              kind={one === 'remove' ? 'danger' : 'secondary'}
              title={`${steps[one].label}?`}
              typed={one === 'remove' ? person.email : undefined}
              done={steps[one].done}
              onConfirm={async () => {
                await call('DELETE', `${path}${steps[one].path}`);
                if (one === 'remove') navigate('/operator/people');
                else await onChanged();
              }}
            >
              <p>{steps[one].text}</p>
            </ConfirmButton>
          ))}
      </div>
    </Section>
  );
}

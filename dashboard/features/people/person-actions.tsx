import { useState } from 'preact/hooks';
import { navigate } from '../../app/address.ts';
import { call } from '../../app/call.ts';
import { Button } from '../../components/button.tsx';
import { ConfirmDialog } from '../../components/confirm-dialog.tsx';
import { Section } from '../../components/section.tsx';
import { toast } from '../../components/toasts.tsx';
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

/** What cannot be taken back. */
export function PersonActions({ path, person, onChanged }: PersonPart) {
  const [step, setStep] = useState<Step>();
  const isOffered = (one: Step) =>
    one === 'remove' || (one === 'factor' ? person.two_factor : person.sessions > 0);
  return (
    <Section title="End access" isCard>
      <div class="actions">
        {(Object.keys(steps) as Step[]).filter(isOffered).map((one) => (
          <Button key={one} kind={one === 'remove' ? 'danger' : 'secondary'} onClick={() => setStep(one)}>
            {steps[one].label}
          </Button>
        ))}
      </div>
      {step && (
        <ConfirmDialog
          title={`${steps[step].label}?`}
          confirmLabel={steps[step].label}
          onClose={() => setStep(undefined)}
          onConfirm={async () => {
            await call('DELETE', `${path}${steps[step].path}`);
            toast(steps[step].done);
            if (step === 'remove') navigate('/operator/people');
            else await onChanged();
          }}
          {...(step === 'remove' && { typed: person.email })}
        >
          <p>{steps[step].text}</p>
        </ConfirmDialog>
      )}
    </Section>
  );
}

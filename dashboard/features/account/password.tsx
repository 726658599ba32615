import { useState } from 'preact/hooks';
import type { ProfileView } from '../../../src/console/dashboard/profile-schema.ts';
import { call } from '../../app/call.ts';
import { Form } from '../../components/form.tsx';
import { NewPasswordInput, PasswordInput } from '../../components/password-input.tsx';
import { Section } from '../../components/section.tsx';
import { NeedsPassword } from './needs-password.tsx';

/** A new password ends all other sessions. */
export function Password({ profile }: { profile: ProfileView }) {
  const [round, setRound] = useState(0);
  return (
    <Section title="Password" lead="A new password ends your other sessions." isCard>
      {!profile.has_password && <NeedsPassword email={profile.email} />}
      {profile.has_password && (
        <Form
          key={round}
          submitLabel="Change the password"
          submitKind="secondary"
          refreshes="/me/sessions"
          done="Your password was changed."
          onSubmit={async ({ current_password, password }) => {
            await call('POST', '/me/password', { current_password, password });
            setRound(round + 1);
          }}
        >
          <PasswordInput label="Current password" name="current_password" />
          <NewPasswordInput label="New password" />
        </Form>
      )}
    </Section>
  );
}

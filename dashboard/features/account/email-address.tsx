import { useState } from 'preact/hooks';
import type { ProfileView } from '../../../src/console/dashboard/profile-schema.ts';
import { call } from '../../app/call.ts';
import { session } from '../../app/session.ts';
import { EmailInput } from '../../components/email-input.tsx';
import { Form } from '../../components/form.tsx';
import { Notice } from '../../components/notice.tsx';
import { PasswordInput } from '../../components/password-input.tsx';
import { Section } from '../../components/section.tsx';
import { NeedsPassword } from './needs-password.tsx';

/** The address changes when the link that the new address gets is used. */
export function EmailAddress({ profile }: { profile: ProfileView }) {
  const [sentTo, setSentTo] = useState<string>();
  const hasMail = session.value?.settings.mail ?? false;
  return (
    <Section title="Email address" lead={`You sign in as ${profile.email}.`} isCard>
      {!hasMail && <Notice>This server sends no mail, so an operator must change your address.</Notice>}
      {hasMail && !profile.has_password && <NeedsPassword email={profile.email} />}
      {sentTo && (
        <Notice kind="success" title="One more step." isAlert>
          Open the link that was sent to {sentTo}. Until then your address stays as it is.
        </Notice>
      )}
      {hasMail && profile.has_password && (
        <Form
          key={sentTo}
          submitLabel="Change the address"
          submitKind="secondary"
          onSubmit={async ({ email = '', password }) => {
            await call('POST', '/me/email', { email: email.trim(), password });
            setSentTo(email.trim());
          }}
        >
          <EmailInput label="New email address" autocomplete="email" />
          <PasswordInput />
        </Form>
      )}
    </Section>
  );
}

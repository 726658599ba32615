import { call } from '../../app/call.ts';
import { loadSession } from '../../app/session.ts';
import { Form } from '../../components/form.tsx';
import { Input } from '../../components/input.tsx';
import { Section } from '../../components/section.tsx';
import type { ProfileSectionProps } from './profile-section-props.ts';

/** The name of the person. The session is loaded again, because the menu of the account shows the name. */
export const OwnName = ({ profile, onChanged }: ProfileSectionProps) => (
  <Section title="Name" isCard>
    <Form
      submitLabel="Save"
      done="Your name is saved."
      onSubmit={async ({ name }) => {
        await call('PATCH', '/me', { name });
        await Promise.all([onChanged(), loadSession()]);
      }}
    >
      <Input label="Name" name="name" value={profile.name} autocomplete="name" maxLength={200} isRequired />
    </Form>
  </Section>
);

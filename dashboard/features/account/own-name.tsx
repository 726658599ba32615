import type { ProfileView } from '../../../src/console/dashboard/profile-schema.ts';
import { call } from '../../app/call.ts';
import { loadSession } from '../../app/session.ts';
import { Form } from '../../components/form.tsx';
import { Input } from '../../components/input.tsx';
import { Section } from '../../components/section.tsx';

export type ProfileProps = { profile: ProfileView; onChanged: () => Promise<void> };

export const OwnName = ({ profile, onChanged }: ProfileProps) => (
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

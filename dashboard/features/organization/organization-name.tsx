import { call } from '../../app/call.ts';
import { loadSession, organization } from '../../app/session.ts';
import { Form } from '../../components/form.tsx';
import { Input } from '../../components/input.tsx';
import { Section } from '../../components/section.tsx';
import { organizationPath } from './organization-path.ts';

/** The name of the organization, which owners can change. */
export const OrganizationName = () => (
  <Section title="Name" isCard>
    <Form
      key={organization.value?.id}
      submitLabel="Save"
      done="The name is saved."
      onSubmit={async ({ name }) => {
        await call('PATCH', organizationPath(''), { name });
        await loadSession();
      }}
    >
      <Input label="Name" name="name" value={organization.value?.name} maxLength={200} isRequired />
    </Form>
  </Section>
);

import { call } from '../../app/call.ts';
import { Form } from '../../components/form.tsx';
import { Input } from '../../components/input.tsx';
import { Section } from '../../components/section.tsx';
import type { PersonPart } from './person-part.ts';

/** A change of the address for a person who can no longer read mail at the old one. */
export const PersonAddress = ({ path, person, onChanged }: PersonPart) => (
  <Section
    title="Email address"
    lead="The new address counts as verified. Check that it belongs to the person."
    isCard
  >
    <Form
      key={person.email}
      submitLabel="Save the address"
      submitKind="secondary"
      done="The address is saved."
      onSubmit={async ({ email }) => {
        await call('PATCH', path, { email: email?.trim() });
        await onChanged();
      }}
    >
      <Input label="Email" name="email" type="email" value={person.email} autocomplete="off" isRequired />
    </Form>
  </Section>
);

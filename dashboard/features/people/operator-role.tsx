import { call } from '../../app/call.ts';
import { loadSession } from '../../app/session.ts';
import { Form } from '../../components/form.tsx';
import { optionsOf } from '../../components/options-of.ts';
import { Section } from '../../components/section.tsx';
import { Select } from '../../components/select.tsx';
import { operatorRoleNames } from './operator-role-names.ts';
import type { PersonPart } from './person-part.ts';

/** Makes somebody an operator, or takes the role away. */
export const OperatorRole = ({ path, person, onChanged }: PersonPart) => (
  <Section title="Operator" lead="Operators see every account and run the server." isCard>
    <Form
      key={person.operator_role}
      submitLabel="Save the role"
      submitKind="secondary"
      done="The role is saved."
      onSubmit={async ({ operator_role }) => {
        await call('PATCH', path, { operator_role: operator_role || null });
        await Promise.all([onChanged(), loadSession()]);
      }}
    >
      <Select
        label="Role"
        name="operator_role"
        options={[{ value: '', label: 'No operator' }, ...optionsOf(operatorRoleNames)]}
        value={person.operator_role ?? ''}
        hint="Owners also manage operators and tokens. A new role applies at once."
      />
    </Form>
  </Section>
);

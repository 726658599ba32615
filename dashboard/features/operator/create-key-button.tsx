import { call } from '../../app/call.ts';
import { FormButton } from '../../components/form-button.tsx';
import { Input } from '../../components/input.tsx';
import { readTags } from '../../components/read-tags.ts';
import { SecretOnce } from '../../components/secret-once.tsx';
import { Select } from '../../components/select.tsx';
import { TagsInput } from '../../components/tags-input.tsx';
import type { MemberRow } from './rows.ts';

type Props = { path: string; members: readonly MemberRow[] | undefined };

/** Makes a key of an account, and shows its secret a single time. */
export const CreateKeyButton = ({ path, members = [] }: Props) => (
  <FormButton
    label="Create key"
    refreshes={path}
    onSubmit={async ({ name, person_id, tags }, show) => {
      const body = { name: name || null, person_id: person_id || null, tags: readTags(tags ?? '') };
      const { key } = await call<{ key: string }>('POST', path, body);
      show({ content: <SecretOnce secret={key} label="API key" /> });
    }}
  >
    <Input label="Name" name="name" />
    <Select
      name="person_id"
      label="Belongs to"
      isRequired={false}
      hint="Budgets of members count its requests for this member."
      options={[
        { value: '', label: 'Nobody' },
        ...members.map(({ id, name, email }) => ({ value: id, label: name || email })),
      ]}
    />
    <TagsInput />
  </FormButton>
);

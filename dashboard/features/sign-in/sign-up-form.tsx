import { EmailInput } from '../../components/email-input.tsx';
import { Form, type FormValues } from '../../components/form.tsx';
import { Input } from '../../components/input.tsx';
import { NewPasswordInput } from '../../components/password-input.tsx';

type SignUpFormProps = {
  onSubmit: (values: FormValues) => Promise<unknown>;
  /** True if an invitation has the person's address, so that the form does not ask for it. */
  isInvited?: boolean;
};

/** The fields of a new person. */
export const SignUpForm = ({ onSubmit, isInvited = false }: SignUpFormProps) => (
  <Form submitLabel="Create account" onSubmit={onSubmit}>
    <Input name="name" label="Your name" autocomplete="name" maxLength={100} isRequired hasFocus />
    {!isInvited && <EmailInput autocomplete="username" />}
    <NewPasswordInput />
  </Form>
);

import { EmailInput } from '../../components/email-input.tsx';
import { Form, type FormValues } from '../../components/form.tsx';
import { Input } from '../../components/input.tsx';
import { NewPasswordInput } from '../../components/password-input.tsx';

type SignUpFormProps = {
  onSubmit: (values: FormValues) => Promise<unknown>;
  /** The address of an invitation. */
  email?: string;
};

/** The fields of a new person. */
export const SignUpForm = ({ onSubmit, email }: SignUpFormProps) => (
  <Form submitLabel="Create account" onSubmit={onSubmit}>
    <Input name="name" label="Your name" autocomplete="name" maxLength={100} isRequired hasFocus />
    {email === undefined && <EmailInput autocomplete="username" />}
    <NewPasswordInput />
  </Form>
);

import { Form, type FormValues } from '../../components/form.tsx';
import { Input } from '../../components/input.tsx';
import { LEAST_PASSWORD, PASSWORD_HINT } from './password-rules.ts';

export type SignUpFormProps = {
  onSubmit: (values: FormValues) => Promise<unknown>;
  /** The address of an invitation. */
  email?: string;
};

/** The fields of a new person. */
export const SignUpForm = ({ onSubmit, email }: SignUpFormProps) => (
  <Form submitLabel="Create account" onSubmit={onSubmit}>
    <Input name="name" label="Your name" autocomplete="name" maxLength={100} isRequired hasFocus />
    {email === undefined && (
      <Input name="email" label="Email" type="email" autocomplete="username" isRequired />
    )}
    <Input
      name="password"
      label="Password"
      type="password"
      autocomplete="new-password"
      minLength={LEAST_PASSWORD}
      hint={PASSWORD_HINT}
      isRequired
    />
  </Form>
);

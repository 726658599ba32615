import { Input, type InputProps } from './input.tsx';

/** The least length that the server accepts. */
const MIN_PASSWORD = 10;

/** The password that a person has. */
export const PasswordInput = (props: Partial<InputProps>) => (
  <Input
    label="Password"
    name="password"
    type="password"
    autocomplete="current-password"
    isRequired
    {...props}
  />
);

/** A password that a person chooses. */
export const NewPasswordInput = (props: Partial<InputProps>) => (
  <PasswordInput
    autocomplete="new-password"
    minLength={MIN_PASSWORD}
    hint={`At least ${MIN_PASSWORD} characters. A sentence is easier to remember than a word.`}
    {...props}
  />
);

import { Input, type InputProps } from './input.tsx';

/** An address of a person. */
export const EmailInput = (props: Partial<InputProps>) => (
  <Input label="Email" name="email" type="email" isRequired {...props} />
);

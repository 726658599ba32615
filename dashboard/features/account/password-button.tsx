import { call } from '../../app/call.ts';
import { FormButton, type FormButtonProps } from '../../components/form-button.tsx';
import { PasswordInput } from '../../components/password-input.tsx';

type PasswordButtonProps<Answer> = Pick<
  FormButtonProps,
  'label' | 'kind' | 'title' | 'submitLabel' | 'done'
> & {
  text?: string;
  /** The path of the API that gets the password. */
  path: string;
  onAnswer: (answer: Answer) => unknown;
};

/** Asks for the password before a change of the sign-in. */
export const PasswordButton = <Answer,>({ text, path, onAnswer, ...button }: PasswordButtonProps<Answer>) => (
  <FormButton
    {...button}
    onSubmit={async ({ password }) => onAnswer(await call<Answer>('POST', path, { password }))}
  >
    {text && <p>{text}</p>}
    <PasswordInput hasFocus />
  </FormButton>
);

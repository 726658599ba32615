import { call } from '../../app/call.ts';
import { FormDialog } from '../../components/form-dialog.tsx';
import { PasswordInput } from '../../components/password-input.tsx';

type PasswordDialogProps<Answer> = {
  title: string;
  text?: string;
  /** The path of the API that gets the password. */
  path: string;
  label: string;
  onClose: () => void;
  onAnswer: (answer: Answer) => Promise<void>;
};

/** Asks for the password before a change of the sign-in. */
export const PasswordDialog = <Answer,>(props: PasswordDialogProps<Answer>) => (
  <FormDialog
    title={props.title}
    submitLabel={props.label}
    onClose={props.onClose}
    onSubmit={async ({ password }) => props.onAnswer(await call<Answer>('POST', props.path, { password }))}
  >
    {props.text && <p>{props.text}</p>}
    <PasswordInput hasFocus />
  </FormDialog>
);

import { call } from '../../app/call.ts';
import { Button } from '../../components/button.tsx';
import { Dialog } from '../../components/dialog.tsx';
import { Form } from '../../components/form.tsx';
import { Input } from '../../components/input.tsx';

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
  <Dialog title={props.title} onClose={props.onClose}>
    <Form
      submitLabel={props.label}
      actions={<Button onClick={props.onClose}>Cancel</Button>}
      onSubmit={async ({ password }) => {
        await props.onAnswer(await call<Answer>('POST', props.path, { password }));
        props.onClose();
      }}
    >
      {props.text && <p>{props.text}</p>}
      <Input
        label="Password"
        name="password"
        type="password"
        autocomplete="current-password"
        isRequired
        hasFocus
      />
    </Form>
  </Dialog>
);

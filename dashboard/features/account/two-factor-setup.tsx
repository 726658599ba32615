import type { TwoFactorView } from '../../../src/console/dashboard/profile-schema.ts';
import { call } from '../../app/call.ts';
import { Button } from '../../components/button.tsx';
import { CodeBlock } from '../../components/code-block.tsx';
import { Dialog } from '../../components/dialog.tsx';
import { Form } from '../../components/form.tsx';
import { Input } from '../../components/input.tsx';
import { toast } from '../../components/toasts.tsx';
import { QrPicture } from './qr-picture.tsx';

type TwoFactorSetupProps = {
  draft: TwoFactorView;
  onClose: () => void;
  onConfirmed: () => Promise<void>;
};

const secretOf = (uri: string): string => new URL(uri).searchParams.get('secret') ?? '';

/** Shows the secret for the app, and asks for the first code. */
export const TwoFactorSetup = ({ draft, onClose, onConfirmed }: TwoFactorSetupProps) => (
  <Dialog title="Set up your authenticator app" onClose={onClose}>
    <p>Scan this code with your app, or enter the key. Then type the code that the app shows.</p>
    <QrPicture text={draft.uri} label="Code for the authenticator app" />
    <CodeBlock
      code={(secretOf(draft.uri).match(/.{1,4}/g) ?? []).join(' ')}
      copied={secretOf(draft.uri)}
      label="key"
    />
    <p>
      <a href={draft.uri}>Open the app on this device</a>
    </p>
    <Form
      submitLabel="Turn on"
      actions={<Button onClick={onClose}>Cancel</Button>}
      onSubmit={async ({ code = '' }) => {
        await call('POST', '/me/two-factor/confirm', { code: code.replace(/\s/g, '') });
        toast('Two-factor sign-in is on.');
        await onConfirmed();
        onClose();
      }}
    >
      <Input
        label="Code"
        name="code"
        inputMode="numeric"
        autocomplete="one-time-code"
        maxLength={10}
        isRequired
        hasFocus
      />
    </Form>
  </Dialog>
);

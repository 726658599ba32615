import type { ListedKey } from '../../../src/console/dashboard/key-schema.ts';
import { refreshAnswers } from '../../app/answers.ts';
import { call } from '../../app/call.ts';
import { Dialog } from '../../components/dialog.tsx';
import { toast } from '../../components/toasts.tsx';
import type { KeyDialogProps } from './key-dialog-props.ts';
import { KeyForm } from './key-form.tsx';
import { nameOf } from './key-state.tsx';

export const ChangeKey = ({ of: key, path, onClose }: KeyDialogProps) => (
  <Dialog title={`Change ${nameOf(key)}`} onClose={onClose}>
    <KeyForm
      of={key}
      submitLabel="Save"
      onCancel={onClose}
      onSubmit={async (body) => {
        await call<ListedKey>('PATCH', `${path}/${key.id}`, body);
        refreshAnswers(path);
        toast('The key was changed.');
        onClose();
      }}
    />
  </Dialog>
);

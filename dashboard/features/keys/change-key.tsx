import type { ListedKey } from '../../../src/console/dashboard/key-schema.ts';
import { call } from '../../app/call.ts';
import type { KeyDialogProps } from './key-dialog-props.ts';
import { KeyForm } from './key-form.tsx';
import { nameOf } from './key-state.tsx';

/** The form that changes the rules of a key. */
export const ChangeKey = ({ apiKey: key, path, onClose }: KeyDialogProps) => (
  <KeyForm
    apiKey={key}
    title={`Change ${nameOf(key)}`}
    submitLabel="Save"
    refreshes={path}
    done="The key was changed."
    onClose={onClose}
    onSubmit={(body) => call<ListedKey>('PATCH', `${path}/${key.id}`, body)}
  />
);

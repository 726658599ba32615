import { useState } from 'preact/hooks';
import type { ListedKey } from '../../../src/console/dashboard/key-schema.ts';
import { call } from '../../app/call.ts';
import { changedMembers } from './key-body.ts';
import type { KeyDialogProps } from './key-dialog-props.ts';
import { KeyForm } from './key-form.tsx';
import { nameOf } from './key-state.tsx';

/** The form that changes the rules of a key. */
export function ChangeKey({ apiKey: key, path, onClose }: KeyDialogProps) {
  // An event can bring the changes of others while the form is open.
  const [first] = useState(key);
  return (
    <KeyForm
      apiKey={key}
      title={`Change ${nameOf(key)}`}
      submitLabel="Save"
      refreshes={path}
      done="The key was changed."
      onClose={onClose}
      onSubmit={(body) => call<ListedKey>('PATCH', `${path}/${key.id}`, changedMembers(body, first))}
    />
  );
}

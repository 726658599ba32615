import { useState } from 'preact/hooks';
import type { ShownKey } from '../../../src/console/dashboard/key-schema.ts';
import { refreshAnswers } from '../../app/answers.ts';
import { call } from '../../app/call.ts';
import { Button } from '../../components/button.tsx';
import { Dialog } from '../../components/dialog.tsx';
import { Form } from '../../components/form.tsx';
import { Select } from '../../components/select.tsx';
import type { KeyDialogProps } from './key-dialog-props.ts';
import { nameOf } from './key-state.tsx';
import { NewSecret } from './new-secret.tsx';

const HOUR_S = 3_600;

const overlaps = [
  { value: String(24 * HOUR_S), label: 'For one day' },
  { value: String(HOUR_S), label: 'For one hour' },
  { value: String(7 * 24 * HOUR_S), label: 'For a week' },
  { value: String(30 * 24 * HOUR_S), label: 'For 30 days' },
  { value: '0', label: 'No longer' },
];

/** Gives a key another secret. */
export function RotateKey({ of: key, path, onClose }: KeyDialogProps) {
  const [made, setMade] = useState<ShownKey>();
  return (
    <Dialog
      title={made ? 'Key rotated' : `Rotate ${nameOf(key)}`}
      onClose={onClose}
      isWide={made !== undefined}
      isKept={made !== undefined}
    >
      {made ? (
        <NewSecret shown={made} onDone={onClose} />
      ) : (
        <Form
          submitLabel="Rotate key"
          actions={<Button onClick={onClose}>Cancel</Button>}
          onSubmit={async ({ overlap_s }) => {
            setMade(
              await call<ShownKey>('POST', `${path}/${key.id}/rotate`, { overlap_s: Number(overlap_s) }),
            );
            refreshAnswers(path);
          }}
        >
          <p>The key gets a new secret. Its name, its rules and its usage stay.</p>
          <Select
            name="overlap_s"
            label="The current secret works"
            options={overlaps}
            hint={
              key.state === 'rotating'
                ? 'The previous secret stops working at once.'
                : 'Update your clients within this time.'
            }
          />
        </Form>
      )}
    </Dialog>
  );
}

import type { ShownKey } from '../../../src/console/dashboard/key-schema.ts';
import { call } from '../../app/call.ts';
import { FormDialog } from '../../components/form-dialog.tsx';
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
export const RotateKey = ({ apiKey: key, path, onClose }: KeyDialogProps) => (
  <FormDialog
    title={`Rotate ${nameOf(key)}`}
    submitLabel="Rotate key"
    refreshes={path}
    onClose={onClose}
    onSubmit={async ({ overlap_s }, show) => {
      const order = { overlap_s: Number(overlap_s) };
      const rotatedKey = await call<ShownKey>('POST', `${path}/${key.id}/rotate`, order);
      show({
        title: 'Key rotated',
        isWide: true,
        content: <NewSecret shown={rotatedKey} onDone={onClose} />,
      });
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
  </FormDialog>
);

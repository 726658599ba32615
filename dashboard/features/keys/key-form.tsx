import { useState } from 'preact/hooks';
import type { KeyBody } from '../../../src/console/admin/key-body.ts';
import type { ListedKey } from '../../../src/console/dashboard/key-schema.ts';
import { Checkbox } from '../../components/checkbox.tsx';
import { type DialogContent, FormDialog, type FormDialogProps } from '../../components/form-dialog.tsx';
import { formatDateTime } from '../../components/format.ts';
import { Input } from '../../components/input.tsx';
import { Select } from '../../components/select.tsx';
import { expiries, keyBodyOf, retries } from './key-body.ts';
import { KeyOwner } from './key-owner.tsx';
import { ModelPicker } from './model-picker.tsx';

export type KeyFormProps = Pick<
  FormDialogProps,
  'title' | 'submitLabel' | 'refreshes' | 'done' | 'onClose'
> & {
  /** The key to change. Without it, a key is made. */
  of?: ListedKey;
  onSubmit: (body: KeyBody, show: (shown: DialogContent) => void) => Promise<unknown>;
};

/** The rules of a key. */
export function KeyForm({ of: key, onSubmit, ...dialog }: KeyFormProps) {
  const [models, setModels] = useState<readonly string[]>(key?.allowed_models ?? []);
  return (
    <FormDialog {...dialog} onSubmit={(values, show) => onSubmit(keyBodyOf(values, models), show)}>
      <Input
        name="name"
        label="Name"
        value={key?.name ?? ''}
        placeholder="laptop"
        maxLength={200}
        hint="The name identifies the key in lists and in usage."
        hasFocus
      />
      <Input
        name="monthly_cap_usd"
        label="Monthly cap"
        type="number"
        inputMode="decimal"
        min={0}
        step="any"
        prefix="$"
        value={key?.monthly_cap_usd ?? ''}
        hint="Beyond the cap, requests are refused until the first day of the next month (UTC)."
      />
      <Checkbox
        name="payg"
        label="Pay as you go"
        isChecked={key?.payg ?? false}
        hint="Requests spend purchased credit, and can use every model."
      />
      <ModelPicker chosen={models} onChange={setModels} />
      <Expiry of={key} />
      <Retries of={key} />
      <KeyOwner of={key} />
      <Limits of={key} />
    </FormDialog>
  );
}

function Expiry({ of: key }: { of: ListedKey | undefined }) {
  const expiresAt = key?.expires_at;
  const [choice, setChoice] = useState(expiresAt ? 'keep' : 'never');
  const options = Object.entries(expiries).map(([value, label]) => ({ value, label }));
  return (
    <>
      <Select
        name="expiry"
        label="Expires"
        value={choice}
        onChange={setChoice}
        options={[...(expiresAt ? [{ value: 'keep', label: formatDateTime(expiresAt) }] : []), ...options]}
      />
      {choice === 'date' && <Input name="expires_at" label="Last day" type="date" isRequired />}
    </>
  );
}

function Retries({ of: key }: { of: ListedKey | undefined }) {
  const [choice, setChoice] = useState<string>(key?.retries ?? 'none');
  return (
    <>
      <Select
        name="retries"
        label="Repeated requests"
        value={choice}
        onChange={setChoice}
        options={Object.entries(retries).map(([value, label]) => ({ value, label }))}
      />
      <Checkbox
        name="resumable"
        label="Resumable streams"
        isChecked={key?.resumable ?? false}
        hint="A stream that breaks can be read again from where it broke."
      />
    </>
  );
}

const limitFields = [
  ['requests_per_min', 'Requests per minute'],
  ['tokens_per_min', 'Tokens a minute'],
  ['concurrent', 'Requests at the same time'],
] as const;

const Limits = ({ of: key }: { of: ListedKey | undefined }) => (
  <details class="more" open={key?.limits ? true : undefined}>
    <summary>Limits of the key</summary>
    <div class="stack">
      <p class="soft">They apply in addition to those of the plan.</p>
      {limitFields.map(([name, label]) => (
        <Input
          key={name}
          name={name}
          label={label}
          type="number"
          inputMode="numeric"
          min={1}
          step={1}
          value={key?.limits?.[name] ?? ''}
        />
      ))}
    </div>
  </details>
);

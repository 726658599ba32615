import { useState } from 'preact/hooks';
import type { KeyBody } from '../../../src/console/admin/key-body.ts';
import type { ListedKey } from '../../../src/console/dashboard/key-schema.ts';
import { Checkbox } from '../../components/checkbox.tsx';
import { type DialogContent, FormDialog, type FormDialogFrame } from '../../components/form-dialog.tsx';
import { formatDateTime } from '../../components/format-time.ts';
import { Input } from '../../components/input.tsx';
import { optionsOf } from '../../components/options-of.ts';
import { Select } from '../../components/select.tsx';
import { keyBodyOf } from './key-body.ts';
import { expiryOptions, KEEP_EXPIRY } from './key-expiry.ts';
import { KeyOwner } from './key-owner.tsx';
import { ModelPicker } from './model-picker.tsx';
import { retryLabels } from './retry-labels.ts';

type KeyFormProps = FormDialogFrame & {
  /** The key to change. Without it, a key is made. */
  apiKey?: ListedKey;
  onSubmit: (body: KeyBody, show: (shown: DialogContent) => void) => Promise<unknown>;
};

const limitFields = [
  ['requests_per_min', 'Requests per minute'],
  ['tokens_per_min', 'Tokens a minute'],
  ['concurrent', 'Requests at the same time'],
] as const;

/** The rules of a key. */
export function KeyForm({ apiKey: key, onSubmit, ...dialog }: KeyFormProps) {
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
        type="decimal"
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
      <Expiry apiKey={key} />
      <Retries apiKey={key} />
      <KeyOwner apiKey={key} />
      <Limits apiKey={key} />
    </FormDialog>
  );
}

function Expiry({ apiKey: key }: { apiKey: ListedKey | undefined }) {
  const expiresAt = key?.expires_at;
  const [choice, setChoice] = useState(expiresAt ? KEEP_EXPIRY : 'never');
  const present = expiresAt ? [{ value: KEEP_EXPIRY, label: formatDateTime(expiresAt) }] : [];
  return (
    <>
      <Select
        name="expiry"
        label="Expires"
        value={choice}
        onChange={setChoice}
        options={[...present, ...expiryOptions]}
      />
      {choice === 'date' && <Input name="expires_at" label="Last day" type="date" isRequired />}
    </>
  );
}

function Retries({ apiKey: key }: { apiKey: ListedKey | undefined }) {
  const [choice, setChoice] = useState(key?.retries ?? 'none');
  return (
    <>
      <Select
        name="retries"
        label="Repeated requests"
        value={choice}
        onChange={setChoice}
        options={optionsOf(retryLabels)}
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

const Limits = ({ apiKey: key }: { apiKey: ListedKey | undefined }) => (
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

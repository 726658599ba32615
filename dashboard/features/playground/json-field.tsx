import { useState } from 'preact/hooks';
import { Button } from '../../components/button.tsx';
import { Textarea } from '../../components/textarea.tsx';

type JsonFieldProps = {
  label: string;
  hint: string;
  value: string;
  /** The fault of the value, if it has one. */
  fault: string | undefined;
  onInput: (value: string) => void;
  /** The text of the button that shows the field. */
  addLabel: string;
  example: { label: string; text: string };
};

/** A field of JSON behind a button, with an example to insert. */
export function JsonField({ label, hint, value, fault, onInput, addLabel, example }: JsonFieldProps) {
  const [isOpen, setOpen] = useState(value !== '');
  if (!isOpen && value === '')
    return (
      <Button icon="plus" onClick={() => setOpen(true)}>
        {addLabel}
      </Button>
    );
  return (
    <div class="playground-tools">
      <Textarea label={label} hint={hint} value={value} onInput={onInput} error={fault} rows={8} isCode />
      {value.trim() === '' && (
        <Button kind="quiet" onClick={() => onInput(example.text)}>
          {example.label}
        </Button>
      )}
    </div>
  );
}

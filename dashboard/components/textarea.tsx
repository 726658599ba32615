import { Field, type LabelledProps } from './field.tsx';

export type TextareaProps = LabelledProps & {
  value?: string;
  onInput?: (value: string) => void;
  rows?: number;
  placeholder?: string;
  maxLength?: number;
  /** Shows the text in a font of equal widths, without spelling. */
  isCode?: boolean;
};

/** Several lines of text. */
export function Textarea({
  label,
  name,
  hint,
  error,
  isRequired,
  isDisabled,
  hidesLabel,
  ...own
}: TextareaProps) {
  const { value, onInput, rows = 4, isCode = false, ...attributes } = own;
  const shown = onInput ? { value: value ?? '' } : { defaultValue: value };
  return (
    <Field {...{ label, name, hint, error, isRequired, isDisabled, hidesLabel }}>
      {({ clear, ...control }) => (
        <textarea
          {...control}
          {...attributes}
          {...shown}
          rows={rows}
          spellcheck={!isCode}
          class={isCode ? 'code' : undefined}
          onInput={({ currentTarget }) => {
            clear();
            onInput?.(currentTarget.value);
          }}
        />
      )}
    </Field>
  );
}

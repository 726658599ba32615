import { Field, type LabelledProps } from './field.tsx';

type TextareaProps = LabelledProps & {
  /** Without `onInput` this is the value at first. */
  value?: string;
  onInput?: (value: string) => void;
  rows?: number;
  placeholder?: string;
  maxLength?: number;
  /** Shows the text in a font of equal widths, without spelling. */
  isCode?: boolean;
};

/** Several lines of text. */
export function Textarea(props: TextareaProps) {
  const { value, onInput, rows = 4, placeholder, maxLength, isCode = false, ...labelled } = props;
  const shownValue = onInput ? { value: value ?? '' } : { defaultValue: value };
  return (
    <Field {...labelled}>
      {({ clear, ...control }) => (
        <textarea
          {...control}
          {...shownValue}
          rows={rows}
          placeholder={placeholder}
          maxLength={maxLength}
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

import { useId, useState } from 'preact/hooks';
import { Field, type LabelledProps } from './field.tsx';

export type ComboboxOption = { value: string; label: string; hint?: string };

type ComboboxProps = LabelledProps & {
  options: readonly ComboboxOption[];
  value: string;
  onChange: (value: string) => void;
  placeholder?: string;
  /** Texts that are no option are accepted too. */
  isOpenEnded?: boolean;
  /** Is called with each typed text, for options that the server finds. They are shown as they are. */
  onSearch?: ((text: string) => void) | undefined;
};

const MAX_SHOWN = 50;

/** One choice of a long list, found by typing. */
export function Combobox({
  options,
  value,
  onChange,
  placeholder,
  isOpenEnded = false,
  onSearch,
  ...labelled
}: ComboboxProps) {
  const id = useId();
  const [text, setText] = useState<string>();
  const [active, setActive] = useState(0);
  const isOpen = text !== undefined;
  const suitable = (typed: string) => (onSearch ? options : matching(options, typed));
  const shown = isOpen ? suitable(text) : [];
  const chosen = options.find((option) => option.value === value);
  const choose = (next: string) => {
    setText(undefined);
    if (next !== value) onChange(next);
  };
  const leave = () => {
    if (!isOpen) return;
    choose(isOpenEnded || text === '' ? text : value);
  };
  const press = (event: KeyboardEvent) => {
    if (event.key === 'Escape' && isOpen) {
      event.preventDefault();
      event.stopPropagation();
      setText(undefined);
    }
    if (event.key === 'Enter' && isOpen) {
      event.preventDefault();
      choose(shown[active]?.value ?? (isOpenEnded || text === '' ? text : value));
    }
    const by = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (by === undefined) return;
    event.preventDefault();
    if (!isOpen) setText('');
    else if (shown.length > 0) setActive((active + by + shown.length) % shown.length);
  };
  return (
    <Field {...labelled}>
      {({ clear, name, ...control }) => (
        <div class="combobox">
          {name && <input type="hidden" name={name} value={value} />}
          <input
            {...control}
            role="combobox"
            aria-expanded={isOpen}
            aria-controls={isOpen ? `${id}-list` : undefined}
            aria-activedescendant={isOpen && shown[active] ? `${id}-${active}` : undefined}
            aria-autocomplete="list"
            autocomplete="off"
            spellcheck={false}
            placeholder={placeholder}
            value={text ?? chosen?.label ?? value}
            onInput={({ currentTarget }) => {
              clear();
              setActive(0);
              setText(currentTarget.value);
              onSearch?.(currentTarget.value);
            }}
            onClick={() => !isOpen && setText('')}
            onBlur={leave}
            onKeyDown={press}
          />
          {isOpen && <Choices {...{ id, shown, active, choose }} label={labelled.label} />}
        </div>
      )}
    </Field>
  );
}

type ChoicesProps = {
  id: string;
  label: string;
  shown: readonly ComboboxOption[];
  active: number;
  choose: (value: string) => void;
};

/** The options that fit. The text field keeps the focus and has the keys. */
const Choices = ({ id, label, shown, active, choose }: ChoicesProps) => (
  <div class="combobox-list" id={`${id}-list`} role="listbox" aria-label={label}>
    {shown.map((option, index) => (
      // biome-ignore lint/a11y/useFocusableInteractive: the text field keeps the focus
      // biome-ignore lint/a11y/useKeyWithClickEvents: the text field has the keys
      <div
        key={option.value}
        id={`${id}-${index}`}
        role="option"
        aria-selected={index === active}
        onMouseDown={(event) => event.preventDefault()}
        onClick={() => choose(option.value)}
      >
        <span>{option.label}</span>
        {option.hint && <span class="soft">{option.hint}</span>}
      </div>
    ))}
    {shown.length === 0 && <p class="soft">Nothing found</p>}
  </div>
);

function matching(options: readonly ComboboxOption[], text: string): readonly ComboboxOption[] {
  const words = text.toLowerCase().split(/\s+/);
  return options
    .filter(({ label, value }) => words.every((word) => `${label} ${value}`.toLowerCase().includes(word)))
    .slice(0, MAX_SHOWN);
}

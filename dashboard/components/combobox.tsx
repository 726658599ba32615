import { useEffect, useId, useRef, useState } from 'preact/hooks';
import { Field, type LabelledProps } from './field.tsx';

export type ComboboxOption = { value: string; label: string; hint?: string };

type ComboboxProps = LabelledProps & {
  options: readonly ComboboxOption[];
  value: string;
  onChange: (value: string) => void;
  placeholder?: string;
  /** True if texts other than the options are accepted. */
  isOpenEnded?: boolean;
  /** Takes each typed text, if the server finds the options. Such options are not filtered here. */
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
  // The list is open while there is a text.
  const [text, setText] = useState<string>();
  // A list that was only looked at changes nothing.
  const [isTyped, setTyped] = useState(false);
  const [active, setActive] = useState(0);
  const isOpen = text !== undefined;
  const choicesFor = (typed: string) => (onSearch ? options : matching(options, typed));
  const choices = isOpen ? choicesFor(text) : [];
  const chosen = options.find((option) => option.value === value);
  const choose = (next: string) => {
    setText(undefined);
    if (next !== value) onChange(next);
  };
  const chooseTyped = () => {
    if (isOpen) choose(isTyped && (isOpenEnded || text === '') ? text : value);
  };
  const show = () => {
    setTyped(false);
    setText('');
  };
  const press = (event: KeyboardEvent) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    const isHandled = step !== undefined || (isOpen && (event.key === 'Escape' || event.key === 'Enter'));
    if (!isHandled) return;
    event.preventDefault();
    if (step !== undefined) {
      if (!isOpen) show();
      else if (choices.length > 0) setActive((active + step + choices.length) % choices.length);
    } else if (event.key === 'Escape') {
      event.stopPropagation();
      setText(undefined);
    } else if (choices[active]) choose(choices[active].value);
    else chooseTyped();
  };
  const open = (typed: string) => {
    setActive(0);
    setTyped(true);
    setText(typed);
    onSearch?.(typed);
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
            aria-activedescendant={choices[active] ? `${id}-${active}` : undefined}
            aria-autocomplete="list"
            autocomplete="off"
            spellcheck={false}
            placeholder={placeholder}
            value={text ?? chosen?.label ?? value}
            onInput={({ currentTarget }) => {
              clear();
              open(currentTarget.value);
            }}
            onClick={() => !isOpen && show()}
            onBlur={chooseTyped}
            onKeyDown={press}
          />
          {isOpen && (
            <Choices id={id} choices={choices} active={active} choose={choose} label={labelled.label} />
          )}
        </div>
      )}
    </Field>
  );
}

type ChoicesProps = {
  id: string;
  label: string;
  choices: readonly ComboboxOption[];
  active: number;
  choose: (value: string) => void;
};

/** The options that fit. The text field keeps the focus and has the keys. */
function Choices({ id, label, choices, active, choose }: ChoicesProps) {
  const list = useRef<HTMLDivElement>(null);
  useEffect(
    () => list.current?.querySelector('[aria-selected="true"]')?.scrollIntoView({ block: 'nearest' }),
    [active],
  );
  return (
    <div ref={list} class="combobox-list" id={`${id}-list`} role="listbox" aria-label={label}>
      {choices.map((option, index) => (
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
      {choices.length === 0 && <p class="soft">Nothing found</p>}
    </div>
  );
}

function matching(options: readonly ComboboxOption[], text: string): readonly ComboboxOption[] {
  const words = text.toLowerCase().split(/\s+/);
  return options
    .filter(({ label, value }) => words.every((word) => `${label} ${value}`.toLowerCase().includes(word)))
    .slice(0, MAX_SHOWN);
}

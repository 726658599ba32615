import type { ComponentChildren } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { queryValue, setQuery } from '../app/address.ts';
import { Input } from './input.tsx';
import { type Option, Select } from './select.tsx';

const PAUSE_MS = 300;

/** A row of filters above a list. */
export const Filters = ({ children }: { children: ComponentChildren }) => (
  <search class="filters">{children}</search>
);

/** A text in the address, written when the typing pauses. A new text starts the list anew. */
export function TextFilter({
  param,
  label,
  placeholder,
}: {
  param: string;
  label: string;
  placeholder?: string;
}) {
  const filter = queryValue(param);
  const [text, setText] = useState(filter);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  // The kept text has no spaces at its ends, and can be older than what is typed.
  useEffect(() => {
    if (timer.current === undefined) setText((now) => (now.trim() === filter ? now : filter));
  }, [filter]);
  useEffect(() => () => clearTimeout(timer.current), []);
  return (
    <Input
      type="search"
      label={label}
      placeholder={placeholder}
      value={text}
      onInput={(value) => {
        setText(value);
        clearTimeout(timer.current);
        timer.current = setTimeout(() => {
          timer.current = undefined;
          setQuery({ [param]: value.trim(), after: null });
        }, PAUSE_MS);
      }}
    />
  );
}

/** A choice in the address. The first option removes the parameter. A choice starts the list anew. */
export const ChoiceFilter = ({
  param,
  label,
  options,
}: {
  param: string;
  label: string;
  options: readonly Option[];
}) => (
  <Select
    label={label}
    options={options}
    value={queryValue(param, options[0]?.value)}
    onChange={(value) => setQuery({ [param]: value === options[0]?.value ? null : value, after: null })}
  />
);
